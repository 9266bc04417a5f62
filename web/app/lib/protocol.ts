// The shapes of docs/protocol.md. Times are Unix milliseconds of the database's clock; points come in steps of 0.5.

export type Phase = "lobby" | "round" | "open" | "closed" | "revealed" | "standings" | "finished";
export type Kind = "single" | "trueFalse" | "text";
export type Role = "participant" | "screen" | "host";

export interface Round {
  number: number;
  title: string;
  introduction?: string;
  questions: number;
}

export interface Question {
  id: string;
  number: number;
  kind: Kind;
  text: string;
  /** single and trueFalse; absent for text. */
  options?: string[];
  points: number;
  seconds: number;
}

export interface Answer {
  /** Indexes into the question's options. */
  correct?: number[];
  /** For text: what is right, the first is the one to show. */
  accepted?: string[];
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
  /** How many rounds the quiz has. */
  rounds: number;
  /** Absent in the lobby. */
  round?: Round;
  /** Absent in lobby, round and finished. */
  question?: Question;
  opensAt?: number;
  closesAt?: number;
  /** From the reveal on; for the host always. */
  answer?: Answer;
  /** Answers per option: from the reveal on; for the host from the close on. As are the two below. */
  distribution?: number[];
  right?: number;
  answered?: number;
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
export type Command = StepCommand | "lockDoors" | "unlockDoors" | "rename" | "remove" | "shutOut" | "setCapacity" | "renewScreen";

/** The question that the next launch opens, with what only the host may see. */
export interface UpNext extends Question, Answer {
  notes?: string;
}

/** Typed answers that read the same. */
export interface AnswerGroup {
  text: string;
  count: number;
  points: number;
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
}

/** What a participant answered: choices by index, or text, as the question's kind asks. */
export type Given = { choices: number[] } | { text: string };

export interface PersonalAnswer {
  question: string;
  id: string;
  given: Given;
  /** From the reveal on, both. */
  points?: number;
  right?: boolean;
}

export interface Personal {
  participant: string;
  name: string;
  /** The answer to the question on screen; absent if none. */
  answer?: PersonalAnswer;
  /** The sum so far, of revealed questions. */
  points: number;
  /** When standings are shown, and at the end. As is participants. */
  rank?: number;
  participants?: number;
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
}

export interface HostLive {
  joined: number;
  connected: number;
  answered: number;
  /** Absent while there are none. */
  participants?: Participant[];
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
  | "not-this-question"
  | "removed"
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
  options?: string[];
  correct?: number[];
  accepted?: string[];
  seconds: number;
  points: number;
  notes: string;
}

export interface QuizRound {
  title: string;
  introduction: string;
  questions: QuizQuestion[];
}

export interface QuizContent {
  title: string;
  rounds: QuizRound[];
}

/** A page's first data, in its <script id="boot">. */
export type Boot =
  | { page: "join"; code: string; title: string; /** It is a rejoin code. */ rejoin?: boolean; /** Of whose seat it leads to. */ name?: string }
  | { page: "join"; code: string; problem: Problem }
  | { page: "play"; session: string }
  | { page: "screen"; session: string }
  | { page: "console"; session: string; screenURL: string }
  | { page: "editor"; quiz: string };
