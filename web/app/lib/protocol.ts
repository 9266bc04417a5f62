// The shapes of docs/protocol.md. Times are Unix milliseconds of the database's clock; points come in steps of 0.5.

export type Phase = "lobby" | "round" | "open" | "closed" | "revealed" | "standings" | "finished";
export type Kind = "single" | "multiple" | "trueFalse" | "text" | "number" | "ordering" | "poll" | "slide";
export type Verdict = "right" | "part" | "wrong";
export type Role = "participant" | "screen" | "host";

/** How a round is played and scored. */
export interface RoundRules {
  picture?: Media;
  /** Absent: answers are revealed after each question; "round": all together when the round ends. */
  pacing?: "round";
  /** What its points are multiplied by; absent: 1. */
  weight?: number;
  /** A right answer earns less the later it comes. */
  speed?: boolean;
  /** Participants may double this round. */
  joker?: boolean;
  /** What a wrong answer costs. */
  negative?: number;
}

export interface Round extends RoundRules {
  number: number;
  title: string;
  introduction?: string;
  questions: number;
}

/** Shown or played from /media/{id}. */
export interface Media {
  id: string;
  kind: "image" | "audio" | "video";
  alt?: string;
}

export interface Question {
  id: string;
  number: number;
  kind: Kind;
  text: string;
  /** What to choose from, or to put in order; absent where the answer is typed, and for a slide. */
  options?: string[];
  media?: Media;
  /** multiple and ordering: part of the points for part of the answer. */
  partial?: boolean;
  /** number: shown beside the answer. */
  unit?: string;
  /** A participant stakes points of their own: given.wager. */
  wager?: boolean;
  /** Earns nothing, but ranks those with equal points. */
  tieBreak?: boolean;
  /** Before the round's weight. */
  points: number;
  seconds: number;
}

export interface Answer {
  /** Indexes into the question's options; of an ordering: all of them, in the right order. */
  correct?: number[];
  /** For text: what is right, the first is the one to show. */
  accepted?: string[];
  /** For number. */
  numeric?: { value: number; tolerance?: number; nearest?: boolean; unit?: string };
}

/** An answer that several participants typed. */
export interface PopularAnswer {
  text: string;
  count: number;
  verdict: Verdict;
}

export interface Standing {
  name: string;
  points: number;
  rank: number;
  /** The rank when standings were last shown; absent if new. */
  was?: number;
}

/** The whole state that one role may see, at one version. */
export interface Snapshot {
  epoch: string;
  version: number;
  role: Role;
  phase: Phase;
  title: string;
  /** What the quiz is written in, by BCP 47; absent: not said. */
  language?: string;
  /** How many rounds the quiz has. */
  rounds: number;
  /** Absent in the lobby. */
  round?: Round;
  /** Absent in lobby, round and finished. */
  question?: Question;
  opensAt?: number;
  closesAt?: number;
  /** Since when the clock of the open question stands still; closesAt moves when it goes on. */
  pausedAt?: number;
  /** The question counts for nobody. */
  voided?: boolean;
  /** Rounds that have not begun and may be doubled. */
  jokerRounds?: { number: number; title: string }[];
  /** From the reveal on; for the host always. */
  answer?: Answer;
  /** Answers per option: from the reveal on; for the host from the close on. As are the two below. */
  distribution?: number[];
  right?: number;
  answered?: number;
  /** Typed answers, most common first, at most five: from the reveal on. */
  popular?: PopularAnswer[];
  /** In standings and finished the first ten; for the host always and all. */
  standings?: Standing[];
  /** In standings and finished: how many there are. */
  participants?: number;
}

export interface ScreenSnapshot extends Snapshot {
  joinCode: string;
  joinURL: string;
  doorsLocked: boolean;
}

export type StepCommand = "next" | "launch" | "close" | "reveal" | "showStandings" | "finish";
export type Command =
  | StepCommand
  | "back"
  | "pause"
  | "resume"
  | "extend"
  | "reopen"
  | "void"
  | "unvoid"
  | "adjust"
  | "letBackIn"
  | "publishResults"
  | "hideResults"
  | "lockDoors"
  | "unlockDoors"
  | "rename"
  | "remove"
  | "shutOut"
  | "setCapacity"
  | "renewScreen";

/** The question that the next launch opens, with what only the host may see. */
export interface UpNext extends Question, Answer {
  notes?: string;
}

/** Typed answers that read the same. */
export interface AnswerGroup {
  /** What they fold to, by which a marking names them. */
  key: string;
  text: string;
  count: number;
  verdict: Verdict;
  by: "machine" | "host";
}

/** A closed question of a round, with what there is to mark. */
export interface MarkedQuestion {
  id: string;
  number: number;
  kind: Kind;
  text: string;
  accepted?: string[];
  points: number;
  status: "closed" | "revealed";
  voided?: boolean;
  /** Most common first; only of text. */
  groups: AnswerGroup[];
}

export interface Marking {
  version: number;
  questions: MarkedQuestion[];
}

/** "machine" takes the host's decision back. */
export type Decision = "right" | "half" | "wrong" | "machine";

/** One line of what was done in a session. */
export interface LogEntry {
  version: number;
  /** A date and time as in RFC 3339. */
  at: string;
  /** Absent: the clock, or a participant. */
  actor?: string;
  command: string;
  detail: Record<string, unknown>;
}

export interface HostSnapshot extends ScreenSnapshot {
  /** How many participants may be in. */
  capacity: number;
  /** The next obvious step; absent when there is none. */
  next?: StepCommand;
  /** What would be accepted now; absent if nothing would. */
  commands?: Command[];
  upNext?: UpNext;
  nextRound?: Round;
  /** The private note on the question on screen. */
  notes?: string;
  /** From the close on, most common first; absent if nobody answered. */
  groups?: AnswerGroup[];
  /** Who was removed, and may be let back in. */
  removed?: { id: string; name: string }[];
  /** Where everyone may see the final standings; absent while they are not public. */
  resultsURL?: string;
  /** In order of their numbers; absent while there are none. */
  cohosts?: Cohost[];
  /** A link for one more host is open. */
  invited?: boolean;
}

/** A host whom the session's owner has brought in. */
export interface Cohost {
  number: number;
  name: string;
}

/** What a participant answered: choices by index, or text, as the question's kind asks. */
export type Given = ({ choices: number[] } | { text: string }) & { wager?: number };

export interface PersonalAnswer {
  question: string;
  id: string;
  given: Given;
  /** From the reveal on, both. */
  points?: number;
  verdict?: Verdict;
  /** What was staked, from the close on. */
  stake?: number;
}

export interface Personal {
  participant: string;
  name: string;
  /** The answer to the question on screen; absent if none. */
  answer?: PersonalAnswer;
  /** The sum so far, of revealed questions. */
  points: number;
  /** While a question with a wager is open: what of the points is at stake on the round's earlier ones. */
  staked?: number;
  /** When standings are shown, and at the end. As is participants. */
  rank?: number;
  participants?: number;
  /** The number of the round that is doubled; absent if none. */
  joker?: number;
  /** Where a participant is several phones. */
  team?: { phones: number; captain: boolean; answers: "first" | "captain" };
}

/** What a pub looks like on the big screen. Pictures are the ids of media. */
export interface Look {
  /** "#rrggbb"; absent: the product's own. */
  accent?: string;
  logo?: string;
  /** Of the breaks, in order. */
  pictures: string[];
  /** What the accent becomes in each scheme; absent without one. */
  light?: Palette;
  dark?: Palette;
}

/** Colours, "#rrggbb". */
export interface Palette {
  accent: string;
  on: string;
  text: string;
  edge: string;
  ground: string;
}

/** What moves between versions on the big screen. */
export interface ScreenLive {
  joined: number;
  connected: number;
  answered: number;
  /** In the lobby, in order of joining. */
  names?: string[];
}

export type Via = "socket" | "poll" | "away";

export interface Participant {
  id: string;
  name: string;
  via: Via;
  answered: boolean;
  points: number;
  /** The number of the round that the joker doubles; absent if none was chosen. */
  joker?: number;
  /** What is staked on the question on screen; absent where nothing was. */
  stake?: number;
  /** Of a team: how many phones it has; absent where it is one. */
  phones?: number;
}

export interface HostLive {
  joined: number;
  connected: number;
  answered: number;
  /** Absent while there are none. */
  participants?: Participant[];
  /** The newest revision of the hosts' notepad; absent while nothing is on it. */
  notepad?: number;
}

/** How much of a budget was used in the last so many seconds. */
export interface BudgetUse {
  used: number;
  of: number;
  seconds: number;
}

/** Whom a limit refused lately, how often, and when last. */
export interface Refusal {
  limiter: string;
  /** Absent: phones that are not in yet. */
  participant?: string;
  name?: string;
  count: number;
  at: number;
}

/** How the room stands with its budgets. */
export interface Room {
  /** At the venue, while there is one. As are requests, those of the phones that are in. */
  joins?: BudgetUse;
  requests?: BudgetUse;
  /** In the last five minutes, the latest first. */
  refused: Refusal[];
}

/** A way in for one phone, once. */
export interface RejoinCode {
  code: string;
  url: string;
  /** A date and time as in RFC 3339. */
  expiresAt: string;
}

export interface Heartbeat {
  v: number;
  epoch: string;
  now: number;
}

export type OutcomeName =
  | "accepted"
  | "already-answered"
  | "too-late"
  | "too-early"
  | "not-this-question"
  | "removed"
  | "not-captain"
  | "invalid"
  | "limited"
  | "busy";

/** What became of an answer. */
export interface Outcome {
  id: string;
  question: string;
  outcome: OutcomeName;
  /** already-answered: what was accepted instead. */
  given?: Given;
  field?: string;
  detail?: string;
  /** Seconds; limited and busy. */
  retryAfter?: number;
}

/** Every message of the server on the socket is one of these. */
export type Message =
  | { shared: Snapshot }
  | { personal: Personal }
  | { live: ScreenLive | HostLive }
  | { room: Room }
  | { outcome: Outcome }
  | Heartbeat;

export interface AnswerRequest {
  id: string;
  question: string;
  given: Given;
}

/** What stands in the way of playing a quiz, or of saving it. */
export interface ContentProblem {
  /** For example rounds[0].questions[2].options[1]. */
  path: string;
  detail: string;
}

/** application/problem+json. detail is a sentence for a person and says what to do. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string;
  field?: string;
  suggestion?: string;
  version?: number;
  problems?: ContentProblem[];
  /** Seconds. */
  retryAfter?: number;
  limiter?: string;
}

export interface QuizQuestion {
  kind: Kind;
  text: string;
  media?: Media;
  options?: string[];
  correct?: number[];
  partial?: boolean;
  accepted?: string[];
  surnames?: boolean;
  exact?: boolean;
  number?: { value: number; tolerance?: number; nearest?: boolean; unit?: string };
  wager?: boolean;
  tieBreak?: boolean;
  seconds: number;
  points: number;
  tags?: string[];
  notes: string;
}

export interface QuizRound extends RoundRules {
  title: string;
  introduction: string;
  questions: QuizQuestion[];
}

export interface QuizContent {
  title: string;
  language?: string;
  tags?: string[];
  teams?: "first" | "captain";
  tiesByTime?: boolean;
  rounds: QuizRound[];
}

/** A page's first data, in its <script id="boot">. */
export type Boot =
  | { page: "join"; code: string; title: string; /** It is a rejoin code. */ rejoin?: boolean; /** It brings one more phone into a team. */ team?: boolean; /** Of whose seat it leads to. */ name?: string }
  | { page: "join"; code: string; problem: Problem }
  | { page: "play" }
  | { page: "screen"; session: string; /** Absent while the browser may not watch. */ look?: Look }
  | { page: "console"; session: string; screenURL: string; /** That the session may have. */ places: number; /** Where there are plans with more. */ pricing?: string; /** On a co-host's console, both: whose session it is, and the co-host's own number. */ owner?: string; cohost?: number; /** Where what draws the screens is. */ sights: { script: string; phoneStyle: string; look?: Look } }
  | { page: "importer" }
  | { page: "look"; look: Look; /** The big screen's style sheet, for the preview. */ screen: string }
  | { page: "editor"; quiz: string; /** The style sheets of the screens, for their previews. */ styles: { phone: string; screen: string } };
