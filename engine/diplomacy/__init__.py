"""Diplomacy: the rules of the game, and its positions as they are written down.

Where rulebooks and adjudicators differ, these choices hold, and the code names them (in brackets the issue of L. B.
Kruijswijk's Diplomacy Adjudicator Test Cases, DATC, whose cases are cited as 6.A.1):

C1  [4.A.1] A convoy fails only if every route is broken.
C2  [4.A.2] In a paradox of convoys, the armies concerned hold, and cut and support nothing (S. Szykman).
C3  [4.A.3] An army that could walk goes by sea if it says so, or if a fleet of its own power is ordered to convoy it,
    and not by land again if that convoy is broken.
C4  [4.A.4 to 4.A.7] A unit dislodged by the one that it ran against has no effect where that one came from; if the
    other came by sea it has, and may retreat there.
C5  [4.B] A coast that is missing is filled in where only one is possible. A wrong one of the target is refused, a wrong
    one of the unit's own place ignored. A support that names a coast counts for a move to that coast only.
C6  [4.C] A missing A or F and the name of a power are forgiven.
C7  [4.D] Of too many builds or removals the first count.
C8  [4.D.8] Without orders: units hold; dislodged ones are disbanded; those farthest from home are removed, fleets
    before armies, then by the alphabet.
C9  [4.E] What is impossible is refused as it is written; what may turn out useless is not.
C10 18 centres after a fall win.
"""

from engine.diplomacy.positions import POSITIONS
from engine.diplomacy.ruleset import RULES

__all__ = ["POSITIONS", "RULES"]
