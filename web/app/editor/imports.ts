import type { Problem, QuizContent } from "../lib/protocol";

/** A row of what was read, and what became of it. */
export interface ImportRow {
  /** From 1; 0 is the whole file. */
  row: number;
  sheet?: string;
  status: "fine" | "changed" | "skipped";
  text: string;
  notes?: { column?: string; found?: string; detail: string }[];
}

export interface ImportReply {
  format: string;
  /** What its rows are. */
  counts: "row" | "line" | "question";
  content: QuizContent;
  rows: ImportRow[];
}

/** Lets the server read a file or a text in any format it knows. Nothing is saved by that. Whatever goes wrong comes back as a sentence. */
export async function readImport(name: string, body: Blob): Promise<ImportReply | { reason: string }> {
  try {
    const response = await fetch(`/api/v1/imports?name=${encodeURIComponent(name)}`, { method: "POST", body, signal: AbortSignal.timeout(30_000) });
    const reply: unknown = await response.json();
    if (response.ok) return reply as ImportReply;
    return { reason: (reply as Partial<Problem>).detail ?? "The server had a problem. Try again in a moment." };
  } catch {
    return { reason: "The server cannot be reached. Try again." };
  }
}
