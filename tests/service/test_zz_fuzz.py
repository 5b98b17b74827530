import random, traceback, os
from collections import Counter
from pathlib import Path
import pytest
from pbem.crypto import new_token
from pbem.service.base.services import RequestRefused
from pbem.service.messages.messages import MessageRefused
from pbem.service.deadlines import gate_timing, interruptions
from pbem.service.deadlines.gate_timing import InvalidAbsence
from pbem.service.access import users, api_tokens, permissions, mail_preferences
from pbem.service.mail import suppression
from pbem.service.messages import messages, conversations
from pbem.service.seats import accounts, bots, deputies, open_tables, seat_offers, sign_in, spectators, substitutes, tables, lobby
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages, feeds, data_export
from pbem.service.archive import files
from pbem.archive.verify import verify
from pbem.service.masters import api
from pbem.service.tasks import jobs
from pbem.store.models import *
from tests.service.master_commands import *
from tests.service.server_fixtures import build, start_game, ServerHarness, GAME_TYPES

PRIVATE={"report","receipt","reminder","started","ruling","deputy_report"}
def run(harness, rnd, steps):
    h=harness; w=h.web; crashes=Counter(); leaks=[]; done=Counter(); detail={}
    people=[f"p{i}@games.test" for i in range(1,4)]+[f"q{i}@games.test" for i in range(1,7)]
    alias={}
    game=start_game(h,"toy",3,24,watchers="open",talk="free",anonymous="yes")
    tokens=[]  # (seat, token, address)
    def uid(a): return get_user_id(h,a)
    def anyone():
        if rnd.random()<.65:
            ids=[r.user_id for r in h.load_rows(SeatRow) if r.game_id==game and r.user_id]
            em=[u.email for u in h.load_rows(User) if u.id in ids and u.email in people]
            if em: return rnd.choice(em)
        return rnd.choice(people)
    def holder(seat):
        r=[r for r in h.load_rows(SeatRow) if r.game_id==game and r.seat==seat]
        return r[0].user_id if r else None
    seen=0
    def check():
        nonlocal seen
        rows={r.seat:r.user_id for r in h.load_rows(SeatRow) if r.game_id==game}
        emails={u.id:u.email for u in h.load_rows(User)}
        deps={(d.seat,d.user_id) for d in h.load_rows(Deputy) if d.ended_at is None and d.began_at}
        for a,f in h.sent[seen:]:
            if a.token and a.kind in PRIVATE: tokens.append((a.seat,str(a.token),a.to_address))
            if a.kind in PRIVATE and a.seat and a.game==game:
                ok = a.to_address==emails.get(rows.get(a.seat)) or any(s==a.seat and emails.get(u)==a.to_address for s,u in deps)
                if not ok: leaks.append((a.kind,a.seat,a.to_address,{s:emails.get(u) for s,u in rows.items()}))
        seen=len(h.sent)
    def op_reply():
        if not tokens: return
        s,t,a=rnd.choice(tokens[-40:])
        lines=rnd.choice([["BID 1"],["BID 0"],["PASS"],["WITHDRAW"],["ATTACK Mill WITH 1"],["FOR MARCH","PASS"],["RESIGN YES"],["STATUS"],["REPORT"],["READY"],["ALWAYS","PASS"],["LEAVE"],["REPORT 1"],["MY FILE"]])
        h.receive_reply(t,lines,sender=rnd.choice([a,a,anyone()]))
    def op_web(): 
        u=anyone(); web_orders.submit_orders(w,uid(u),game,h.load_game(game).entry-rnd.choice([0,0,1]),new_token(),rnd.choice([["BID 1"],["PASS"],["WITHDRAW"]]))
    def op_take(): substitutes.take_over(w,uid(anyone()),game,rnd.choice(["s1","s2","s3"]))
    def op_offer(): substitutes.offer_own_seat(w,uid(anyone()),game)
    def op_return(): substitutes.return_seat(w,uid(anyone()),game)
    def op_absence(): 
        b=w.now()+rnd.choice([0,0,3600000]); gate_timing.add_absence(w,uid(anyone()),b,b+rnd.choice([1,2])*86400000)
    def op_deputy():
        u=uid(anyone()); ab=gate_timing.list_upcoming_absences(w,u)
        if ab: deputies.invite(w,u,game,anyone(),rnd.choice(ab)[0])
    def op_answer_dep():
        c=[f for a,f in h.sent if a.kind=="deputy"]
        if c: deputies.answer(w,rnd.choice(c[-4:]).frame.links.act.rpartition("/")[2],agrees=rnd.random()<.8)
    def op_cancel_dep():
        u=uid(anyone())
        for d in deputies.list_invited(w,u,game)[:1]: deputies.cancel(w,u,game,d.number)
    def op_master():
        line=rnd.choice(["EJECT p2","BOT FOR p3","PROCESS BIDS 1","REWIND TO 2","OPEN HAND p2","OPEN DECK","OPEN ORDERS p1","PAUSE","RESUME","HOLD p2","RELEASE p2","PROMOTE "+anyone(),"DEMOTE "+anyone(),"REPLACE s2 BY "+anyone(),"TAKE BACK s2","APPROVAL ON","APPROVAL OFF","TWO PERSONS ON","TWO PERSONS OFF","EXTEND 1 days","CALL THE MASTER","ELECT p2","VOTE OUT s3","STATUS","UNDO 2","REROLL 2","ADJUDICATE AGAIN 2","EJECT s3","ELIMINATE s1","APPROVE "+anyone(),"REFUSE "+anyone()])
        who=anyone(); extra=[]
        if rnd.random()<.1: line,extra="CORRECT oops",["GIVE 1 COIN TO player 1"]
        f=api.execute(w,game,uid(who),[line,*extra],"")
        words=[a.word for a in f.acts if a.outcome=="confirm"]
        if words: f=api.execute(w,game,uid(who),[line,*extra],words[0])
        words=[a.word for a in f.acts if a.outcome=="agree"]
        if words and rnd.random()<.7: api.execute(w,game,uid(anyone()),[f"AGREE {words[0]}"],"")
    def op_offer_answer():
        c=[f for a,f in h.sent if a.kind=="seat"]
        if c: seat_offers.answer(w,rnd.choice(c[-3:]).frame.links.act.rpartition("/")[2],takes=rnd.random()<.7)
    def op_time(): h.advance_time(hours=rnd.choice([1,5,13])); h.run_scheduled_jobs(); jobs.delete_expired_rows(h.mailer)
    def op_address():
        i=rnd.randrange(len(people)); new=f"n{rnd.randrange(10**6)}@games.test"
        sign_in.request_address_change(w,uid(people[i]),new); h.run_queued_tasks()
        for f in [f for a,f in h.sent if a.kind=="account"][-2:]: r=sign_in.confirm_change(w,f.frame.links.act.rpartition("/")[2])
        if r=="done": people[i]=new
    def op_delete():
        i=rnd.randrange(len(people)); accounts.request_deletion(w,uid(people[i])); h.run_queued_tasks()
        t=[f for a,f in h.sent if a.kind=="account"][-1].frame.links.act.rpartition("/")[2]
        if accounts.confirm_deletion(w,t): people[i]=f"r{rnd.randrange(10**6)}@games.test"
    def op_talk():
        messages.send(w,uid(anyone()),game,rnd.choice([["all"],["s1"],["s2","s3"],["master"]]),"hello",new_token(),unsigned=rnd.random()<.2)
    def op_diary(): messages.write_diary(w,uid(anyone()),game,"dear",new_token())
    def op_watch(): spectators.follow(w,uid(anyone()),game)
    def op_mute(): suppression.mute_game(w,uid(anyone()),game)
    def op_read(): 
        u=uid(anyone()); m=permissions.find_membership(w,u,game)
        if m and m.seat and m.state=="running": game_pages.load_seat_page(w,u,game,m.seat); conversations.load_conversation(w,u,game)
        data_export.export_user(w,u); feeds.load_deadlines(w,u)
    def op_own():
        u=uid(anyone()); m=permissions.find_membership(w,u,game)
        if m and m.seat and m.state=="running": web_orders.request_own_orders(w,u,game)
    def op_pause(): interruptions.request_pause(w,uid(anyone()),game,rnd.choice(["pause","resume"]))
    def op_name(): users.update_profile(w,uid(anyone()),name=rnd.choice(["Ann","Bob","Cid","ann"]),zone="UTC")
    ops=[v for k,v in list(locals().items()) if k.startswith("op_")]
    weights=[6 if o.__name__ in("op_reply","op_web","op_time") else 4 if o.__name__=="op_master" else .15 if o.__name__=="op_delete" else 1 for o in ops]
    for i in range(steps):
        o=rnd.choices(ops,weights)[0]
        try: o(); done[o.__name__]+=1
        except (RequestRefused,MessageRefused,InvalidAbsence) as e: done[o.__name__,getattr(e,"code",str(e))]+=1
        except Exception as e:
            k=(o.__name__,type(e).__name__,str(e)[:90]); crashes[k]+=1; detail.setdefault(k,traceback.format_exc()[-1500:])
        try: h.run_queued_tasks(); check()
        except Exception as e:
            k=("tasks after "+o.__name__,type(e).__name__,str(e)[:90]); crashes[k]+=1; detail.setdefault(k,traceback.format_exc()[-1500:]); h.queued_tasks.clear()
        st=h.load_game(game)
        if st.failure or st.integrity_warning: crashes["FAILURE",st.failure,st.integrity_warning]+=1; detail.setdefault(("FAILURE",st.failure,st.integrity_warning),o.__name__); break
        if st.state=="over": break
    ghosts=[r.seat for r in h.load_rows(SeatRow) if r.user_id and [u.email for u in h.load_rows(User) if u.id==r.user_id][0].endswith("forgotten.invalid") and r.game_id==game]
    if ghosts and h.load_game(game).state=="running": crashes["ghost"]+=1
    if h.load_game(game).entry>1:
        v=files.export_game(h.resolver,game)
        c=verify(v,"",GAME_TYPES)
        if c.code: crashes["verify",str([f.faults[:1] for f in c.claims if not f.holds])[:200]]+=1
    return crashes,leaks,done,detail

def test_fuzz(state_dir: Path, monkeypatch) -> None:
    from pbem.service.base import limits
    monkeypatch.setattr(limits, "is_exceeded", lambda *a, **k: False)
    monkeypatch.setattr("pbem.service.access.mail_preferences._is_limit_reached", lambda *a, **k: False)
    total=Counter(); lk=[]; det={}; dn=Counter()
    for seed in range(int(os.environ.get("FROM","0")),int(os.environ.get("TO","4"))):
        h=build(state_dir/str(seed))
        c,l,d,de=run(h,random.Random(seed),int(os.environ.get("STEPS","150")))
        print(seed,h.load_rows(Game)[0].state,h.load_rows(Game)[0].entry,dict(c),l[:3])
        total+=c; lk+=l; det|=de; dn+=d
    print(dn)
    for k,v in det.items(): print("=====",k,total[k]); print(v)
    assert 0
