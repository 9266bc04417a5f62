import type { Sound } from "./cues";

/** A note: its pitch in hertz, and when it begins and how long it rings, in seconds. */
type Note = readonly [pitch: number, at: number, length: number];

const [c4, e4, g4, c5, e5, g5, a5, c6] = [261.63, 329.63, 392, 523.25, 659.26, 783.99, 880, 1046.5];

/** Written for this product: major chords, so that nothing sounds like an alarm. */
const scores: Record<Sound, readonly Note[]> = {
  opened: [[c5, 0, 0.3], [g5, 0.12, 0.5]],
  tick: [[a5, 0, 0.09]],
  timeUp: [[g4, 0, 0.4], [e4, 0.16, 0.4], [c4, 0.32, 0.9]],
  revealed: [[c5, 0, 0.4], [e5, 0.09, 0.4], [g5, 0.18, 0.7]],
  finished: [[c5, 0, 0.25], [c5, 0.18, 0.25], [e5, 0.36, 0.3], [g5, 0.54, 0.4], [e5, 0.78, 0.25], [g5, 0.96, 0.4], [c6, 1.2, 1.4], [g5, 1.2, 1.4], [e5, 1.2, 1.4]],
};

const loudness = 0.22; // of one note; the three of a chord stay below 1 together
const attack = 0.008; // seconds: a note that begins at once clicks

/** Plays a sound from now on. */
export function play(context: AudioContext, sound: Sound): void {
  for (const [pitch, at, length] of scores[sound]) {
    const begin = context.currentTime + at;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const envelope = new GainNode(context, { gain: 0 });
    envelope.gain.setValueAtTime(0, begin);
    envelope.gain.linearRampToValueAtTime(loudness, begin + attack);
    envelope.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    tone.connect(envelope).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
