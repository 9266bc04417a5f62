/** How many letters and digits a rejoin code has: two more than the code on the big screen. */
const rejoinCodeLength = 8;

/** What of a code counts: it may be typed with spaces and dashes between. */
export function lettersOf(typed: string): string {
  return typed.replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether what was typed can be a rejoin code at all. */
export function mayRejoin(typed: string): boolean {
  return lettersOf(typed).length === rejoinCodeLength;
}
