// A short tone when the game goes on or orders are awaited: off until its switch is set, which this browser keeps.

const KEY = "pbem-sound";
/** No part of what is kept of a game: it says nothing of anybody, and outlasts a turn. */
const NOTES = [659, 880];
const NOTE_S = 0.14;
const LOUD = 0.12;

/** `box`: the switch.  Where `lasting` is false, nothing is kept.  Gives what makes the sound, if it is wanted. */
export function soundOf(box, lasting) {
  let context = null;

  function kept(set) {
    if (!lasting) return false;
    try {
      if (set !== undefined) localStorage.setItem(KEY, set ? "on" : "off");
      return localStorage.getItem(KEY) === "on";
    } catch {
      return false;  // a browser may forbid it
    }
  }

  /** Browsers let a page make sounds only once its reader has touched it: until then this does nothing. */
  function ready() {
    if (!box.checked || !window.AudioContext) return;
    context = context || new AudioContext();
    if (context.state === "suspended") context.resume();
  }

  function tone() {
    if (!box.checked) return;
    ready();
    if (!context) return;
    NOTES.forEach((pitch, n) => {
      const begins = context.currentTime + n * NOTE_S;
      const [voice, volume] = [context.createOscillator(), context.createGain()];
      voice.frequency.value = pitch;
      volume.gain.setValueAtTime(LOUD, begins);
      volume.gain.exponentialRampToValueAtTime(0.001, begins + NOTE_S);
      voice.connect(volume).connect(context.destination);
      voice.start(begins);
      voice.stop(begins + NOTE_S);
    });
  }

  box.checked = kept();
  box.closest(".script").hidden = false;
  box.addEventListener("change", () => {
    kept(box.checked);
    tone();
  });
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, ready, { once: true });
  return tone;
}
