// Every key of the console: what is bound and what the key map says of it are this one table, so that the map cannot lie.

interface Key {
  /** As the browser names it; letters are capital. */
  key: string;
  /** Others that do the same. */
  also?: readonly string[];
  meaning: string;
}

const table = {
  evening: {
    title: "The evening",
    keys: {
      step: { key: " ", meaning: "The next obvious step, as the amber button says" },
      back: { key: "B", also: ["Backspace"], meaning: "Back one step, as its button says; ⌫ does, too" },
      next: { key: "N", meaning: "Next round, where the standings could come first" },
      standings: { key: "S", meaning: "Show the standings" },
      finish: { key: "F", meaning: "Finish the evening; you are asked first" },
      papers: { key: "A", meaning: "All answers, or everything to read out" },
      log: { key: "H", meaning: "What was done so far" },
      notes: { key: "D", meaning: "Your own notes, or away with them" },
      hosts: { key: "Q", meaning: "Who hosts; bring somebody in" },
      picture: { key: "Z", meaning: "What the room sees: the television or a phone" },
      keys: { key: "?", meaning: "These keys" },
    },
  },
  question: {
    title: "The question",
    keys: {
      pause: { key: "P", meaning: "Pause its clock, or let it go on" },
      more: { key: "+", meaning: "15 seconds more" },
      muchMore: { key: "E", meaning: "30 seconds more" },
      reopen: { key: "O", meaning: "Open it again for 30 seconds" },
      void: { key: "V", meaning: "Take it out, so that it counts for nobody; or let it count again" },
      mark: { key: "M", meaning: "Mark what was typed, or be done with it" },
    },
  },
  marking: {
    title: "Marking",
    keys: {
      down: { key: "J", also: ["ArrowDown"], meaning: "Down; so does ↓" },
      up: { key: "K", also: ["ArrowUp"], meaning: "Up; so does ↑" },
      right: { key: "A", meaning: "Accept" },
      half: { key: "H", meaning: "Accept by half" },
      wrong: { key: "R", meaning: "Refuse" },
      machine: { key: "U", meaning: "Undo: leave it to the machine" },
    },
  },
  players: {
    title: "The players",
    keys: {
      walk: { key: "W", meaning: "Go to the players; ↑ and ↓ walk through them" },
      several: { key: "X", meaning: "Choose several players, to remove them" },
      doors: { key: "L", meaning: "Lock or unlock the doors for new players" },
      letIn: { key: "I", meaning: "Let one phone in while the doors are locked" },
      places: { key: "C", meaning: "Change how many places there are" },
    },
  },
  player: {
    title: "The player in focus",
    keys: {
      adjust: { key: "G", meaning: "Give points, or take some" },
      rename: { key: "R", meaning: "Rename" },
      move: { key: "T", meaning: "Move to another phone" },
      remove: { key: "Delete", meaning: "Remove; you are asked first" },
    },
  },
  asked: {
    title: "When you are asked",
    keys: {
      yes: { key: "Y", meaning: "Do it" },
      no: { key: "Escape", meaning: "Leave it; closes what is open, too" },
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
  return { " ": "Space", Delete: "Del", Escape: "Esc" }[key] ?? key;
}

/** The key of an action, as a button shows it. */
export function keyOf(action: Action): string {
  return shown(all[action]?.key ?? "");
}

/** What a key that was pressed does in one of the groups, if anything. */
export function actionOf<G extends Group>(group: G, pressed: string): ActionIn<G> | undefined {
  const key = pressed.length === 1 ? pressed.toUpperCase() : pressed;
  const found = Object.entries<Key>(table[group].keys).find(([, known]) => known.key === key || known.also?.includes(key));
  return found?.[0] as ActionIn<G> | undefined;
}
