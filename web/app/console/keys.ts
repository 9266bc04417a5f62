// Every key of the console: what is bound and what the key map says of it are this one table, so that the map cannot lie.
import { t } from "../lib/language";

interface Key {
  /** As the browser names it; letters are capital. */
  key: string;
  /** Others that do the same. */
  also?: readonly string[];
  meaning: string;
}

const table = {
  evening: {
    title: t("The evening"),
    keys: {
      step: { key: " ", meaning: t("The next obvious step, as the amber button says") },
      back: { key: "B", also: ["Backspace"], meaning: t("Back one step, as its button says; ⌫ does, too") },
      next: { key: "N", meaning: t("Next round, where the standings could come first") },
      standings: { key: "S", meaning: t("Show the standings") },
      finish: { key: "F", meaning: t("Finish the evening; you are asked first") },
      papers: { key: "A", meaning: t("All answers, or everything to read out") },
      log: { key: "H", meaning: t("What was done so far") },
      notes: { key: "D", meaning: t("Your own notes, or away with them") },
      hosts: { key: "Q", meaning: t("Who hosts; bring somebody in") },
      picture: { key: "Z", meaning: t("What the room sees: the television or a phone") },
      keys: { key: "?", meaning: t("These keys") },
    },
  },
  question: {
    title: t("The question"),
    keys: {
      pause: { key: "P", meaning: t("Pause its clock, or let it go on") },
      more: { key: "+", meaning: t("15 seconds more") },
      muchMore: { key: "E", meaning: t("30 seconds more") },
      reopen: { key: "O", meaning: t("Open it again for 30 seconds") },
      void: { key: "V", meaning: t("Take it out, so that it counts for nobody; or let it count again") },
      mark: { key: "M", meaning: t("Mark what was typed, or be done with it") },
    },
  },
  marking: {
    title: t("Marking"),
    keys: {
      down: { key: "J", also: ["ArrowDown"], meaning: t("Down; so does ↓") },
      up: { key: "K", also: ["ArrowUp"], meaning: t("Up; so does ↑") },
      right: { key: "A", meaning: t("Accept") },
      half: { key: "H", meaning: t("Accept by half") },
      wrong: { key: "R", meaning: t("Refuse") },
      machine: { key: "U", meaning: t("Undo: leave it to the machine") },
    },
  },
  players: {
    title: t("The players"),
    keys: {
      walk: { key: "W", meaning: t("Go to the players; ↑ and ↓ walk through them, Esc leaves them") },
      several: { key: "X", meaning: t("Choose several players, to remove them") },
      doors: { key: "L", meaning: t("Lock or unlock the doors for new players") },
      letIn: { key: "I", meaning: t("Let one phone in while the doors are locked") },
      places: { key: "C", meaning: t("Change how many places there are") },
    },
  },
  player: {
    title: t("The player in focus"),
    keys: {
      adjust: { key: "G", meaning: t("Give points, or take some") },
      rename: { key: "R", meaning: t("Rename") },
      move: { key: "T", meaning: t("Move to another phone") },
      remove: { key: "Delete", meaning: t("Remove; you are asked first") },
    },
  },
  asked: {
    title: t("When you are asked"),
    keys: {
      yes: { key: "Y", meaning: t("Do it") },
      no: { key: "Escape", meaning: t("Leave it; closes what is open, too") },
    },
  },
} as const satisfies Record<string, { title: string; keys: Record<string, Key> }>;

type Table = typeof table;
export type Group = keyof Table;

/** What the keys of a group do. */
export type ActionIn<G extends Group> = { [K in G]: keyof Table[K]["keys"] & string }[G];

export type Action = ActionIn<Group>;

/** The groups in the order in which the map shows them. */
export const groups: readonly { title: string; keys: readonly Key[] }[] = Object.values(table).map(({ title, keys }) => ({ title, keys: Object.values(keys) }));

const all: Partial<Record<string, Key>> = Object.assign({}, ...Object.values(table).map(({ keys }) => keys));

/** What a key is called on a button and in the map. */
export function shown(key: string): string {
  return { " ": t("Space"), Delete: t("Del"), Escape: t("Esc") }[key] ?? key;
}

/** The key of an action, as a button shows it. */
export function shownKeyOf(action: Action): string {
  return shown(all[action]?.key ?? "");
}

/** The key of an action, as aria-keyshortcuts has it in every language. */
export function keyOf(action: Action): string {
  const key = all[action]?.key ?? "";
  return key === " " ? "Space" : key;
}

/** What a key that was pressed does in one of the groups, if anything. */
export function actionOf<G extends Group>(group: G, pressed: string): ActionIn<G> | undefined {
  const key = pressed.length === 1 ? pressed.toUpperCase() : pressed;
  const found = Object.entries<Key>(table[group].keys).find(([, known]) => known.key === key || known.also?.includes(key));
  return found?.[0] as ActionIn<G> | undefined;
}
