import { t } from "../lib/language";
import type { Problem, QuizQuestion } from "../lib/protocol";

/** A question of one of the author's quizzes, and where it stands. */
export interface BankQuestion {
  quiz: { id: string; title: string };
  round: { number: number; title: string };
  number: number;
  question: QuizQuestion;
}

export interface BankReply {
  questions: BankQuestion[];
  /** There are more than these. */
  more: boolean;
  /** All tags of the author's questions and quizzes. */
  tags: string[];
}

/** Searches the author's own questions. Whatever goes wrong comes back as a sentence. */
export async function searchBank(words: string, tag: string, signal: AbortSignal): Promise<BankReply | { reason: string }> {
  const query = new URLSearchParams({ ...(words && { q: words }), ...(tag && { tag }) });
  try {
    const response = await fetch(`/api/v1/questions?${query}`, { signal });
    const body: unknown = await response.json();
    if (response.ok) return body as BankReply;
    return { reason: (body as Partial<Problem>).detail ?? t("The server had a problem. Try again in a moment.") };
  } catch {
    return { reason: t("The server cannot be reached. Try again.") };
  }
}

/** What tells a question of the bank from all others. */
export function bankKey({ quiz, round, number }: BankQuestion): string {
  return `${quiz.id} ${round.number}.${number}`;
}

/** The questions round by round, as they came. */
export function byRound(questions: readonly BankQuestion[]): BankQuestion[][] {
  const rounds = new Map<string, BankQuestion[]>();
  for (const question of questions) {
    const key = `${question.quiz.id} ${question.round.number}`;
    rounds.set(key, [...(rounds.get(key) ?? []), question]);
  }
  return [...rounds.values()];
}
