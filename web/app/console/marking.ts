// Going through typed answers: what there is to decide, and what a decision makes of it.
import type { AnswerGroup, Decision, HostSnapshot, MarkedQuestion, Verdict } from "../lib/protocol";

/** One group of answers among all that are listed. */
export interface Spot {
  question: MarkedQuestion;
  group: AnswerGroup;
}

/** The round that has the question that closed last: it is what players complain about. 0 before any has closed. */
export function lastMarked({ phase, round, question }: Pick<HostSnapshot, "phase" | "round" | "question">): number {
  if (!round) return 0;
  const untouched = phase === "round" || (phase === "open" && question?.number === 1);
  return untouched ? round.number - 1 : round.number;
}

/** All groups in the order in which they are listed. */
export function spots(questions: readonly MarkedQuestion[]): Spot[] {
  return questions.flatMap((question) => question.groups.map((group) => ({ question, group })));
}

/** How many groups nobody has decided about: the machine says anything but right. */
export function toLookAt(groups: readonly AnswerGroup[]): number {
  return groups.filter(isOpen).length;
}

export function isOpen({ by, verdict }: AnswerGroup): boolean {
  return by === "machine" && verdict !== "right";
}

/** Where a host begins: at the first group that nobody has decided about, or at the first of all. */
export function firstSpot(all: readonly Spot[]): number {
  return Math.max(0, all.findIndex(({ group }) => isOpen(group)));
}

const verdicts: Record<Exclude<Decision, "machine">, Verdict> = { right: "right", half: "part", wrong: "wrong" };

/**
 * The questions as they will be once the server has the decision. What the machine makes of a group that is left to it again, only
 * the server knows: until then it keeps its verdict.
 */
export function decided(questions: readonly MarkedQuestion[], id: string, key: string, decision: Decision): MarkedQuestion[] {
  const change = (group: AnswerGroup): AnswerGroup =>
    decision === "machine" ? { ...group, by: "machine" } : { ...group, by: "host", verdict: verdicts[decision] };
  return questions.map((question) =>
    question.id === id ? { ...question, groups: question.groups.map((group) => (group.key === key ? change(group) : group)) } : question,
  );
}
