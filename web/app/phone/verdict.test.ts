import assert from "node:assert/strict";
import { test } from "node:test";
import type { Personal, PersonalAnswer, Snapshot } from "../lib/protocol";
import { type VerdictWords, verdictWords } from "./verdict";

const shared: Snapshot = {
  ...{ epoch: "e", version: 9, role: "participant", phase: "revealed", title: "Tuesday", rounds: 2, right: 3, answered: 5 },
  round: { number: 2, title: "Rivers", questions: 5 },
  question: { id: "2.1", number: 1, kind: "single", text: "?", options: ["a", "b"], points: 1, seconds: 30 },
};

function me(answer?: Partial<PersonalAnswer>, more: Partial<Personal> = {}): Personal {
  return { participant: "p", name: "n", points: 3, ...more, answer: answer && { question: "2.1", id: "a", given: { choices: [1] }, ...answer } };
}

const room = "3 of 5 answers right";
const cases: [string, Partial<Snapshot>, Personal, VerdictWords][] = [
  ["right", {}, me({ verdict: "right", points: 1 }), { kind: "right", heading: "Right! 1 point for you", text: room }],
  ["part", {}, me({ verdict: "part", points: 0.5 }), { kind: "part", heading: "Partly right: ½ point for you", text: room }],
  ["wrong", {}, me({ verdict: "wrong", points: 0 }), { kind: "wrong", heading: "Not this time", text: room }],
  ["wrong, and that costs", {}, me({ verdict: "wrong", points: -0.5 }), { kind: "wrong", heading: "Not this time: −½ point", text: room }],
  ["a stake that wins", {}, me({ verdict: "right", points: 5, stake: 5 }), { kind: "right", heading: "Right! Your stake wins 5 points", text: room }],
  ["a stake that is lost", {}, me({ verdict: "wrong", points: -5, stake: 5 }), { kind: "wrong", heading: "Not this time: your stake is lost, −5", text: room }],
  ["nothing staked", {}, me({ verdict: "right", points: 0, stake: 0 }), { kind: "right", heading: "Right!", text: room }],
  [
    "a joker",
    {},
    me({ verdict: "right", points: 2 }, { joker: 2 }),
    { kind: "right", heading: "Right! 2 points for you", text: `Doubled by your joker. ${room}` },
  ],
  [
    "a stake that wins, and a joker",
    { question: { ...shared.question!, wager: true } },
    me({ verdict: "right", points: 5, stake: 5 }, { joker: 2 }),
    { kind: "right", heading: "Right! Your stake wins 5 points", text: room },
  ],
  ["the joker of another round", {}, me({ verdict: "right", points: 1 }, { joker: 1 }), { kind: "right", heading: "Right! 1 point for you", text: room }],
  [
    "a tie-break",
    { question: { ...shared.question!, tieBreak: true } },
    me({ verdict: "wrong", points: 0 }),
    { kind: "wrong", heading: "Not quite", text: "It only decides between equal points." },
  ],
  ["no answer", {}, me(), { kind: "none", heading: "No answer from you", text: room }],
  ["not yet marked here", {}, me({}), { kind: "none", heading: "Here’s the answer", text: room }],
  ["another question's answer", {}, me({ question: "2.2", verdict: "right" }), { kind: "none", heading: "No answer from you", text: room }],
  ["nobody answered", { right: 0, answered: 0 }, me(), { kind: "none", heading: "No answer from you", text: "Nobody answered this one." }],
  [
    "voided",
    { voided: true },
    me({ verdict: "right", points: 0 }),
    { kind: "none", heading: "This question doesn’t count", text: "The host took it out, for everybody." },
  ],
  [
    "a poll",
    { question: { ...shared.question!, kind: "poll" } },
    me({ verdict: "right", points: 0 }),
    { kind: "none", heading: "Here’s what everybody said", text: "5 answers" },
  ],
];

for (const [name, more, personal, want] of cases) {
  test(`how it went: ${name}`, () => assert.deepEqual(verdictWords({ ...shared, ...more }, personal, { is: "open" }), want));
}
