/**
 * Two texts that were made from the same one, as one. Where both changed the same place, theirs stays and the lines that I changed come after
 * it: nothing that anybody wrote is lost.
 */
export function merge(base: string, mine: string, theirs: string): string {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const a = change(base, mine);
  const b = change(base, theirs);
  if (a.to < b.from) return base.slice(0, a.from) + a.text + base.slice(a.to, b.from) + b.text + base.slice(b.to);
  if (b.to < a.from) return base.slice(0, b.from) + b.text + base.slice(b.to, a.from) + a.text + base.slice(a.to);
  return theirs + (theirs === "" || theirs.endsWith("\n") ? "" : "\n") + lines(mine, a.from, a.from + a.text.length);
}

/** The whole lines of which a part is between the two places. */
function lines(text: string, from: number, to: number): string {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = text.indexOf("\n", to);
  return text.slice(from === 0 ? 0 : start, end < 0 ? text.length : end);
}

/** What was done to a text: from the one place to the other it has become this. */
interface Change {
  from: number;
  to: number;
  text: string;
}

function change(before: string, after: string): Change {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from, to: before.length - end, text: after.slice(from, after.length - end) };
}
