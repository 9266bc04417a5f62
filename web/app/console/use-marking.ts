import { useEffect, useRef, useState } from "preact/hooks";
import type { Decision, MarkedQuestion, Marking } from "../lib/protocol";
import { ask, isVersion, read } from "./ask";
import { decided } from "./marking";

/** How long, in milliseconds, the session rests before what others changed is read again. */
const rest = 400;

export interface MarkingDesk {
  /** Undefined until they are read. */
  questions: MarkedQuestion[] | undefined;
  problem: string | undefined;
  decide: (question: string, group: string, decision: Decision) => void;
}

/** Reads what a round's players typed, and sends the host's decisions. They show at once; what the server makes of them follows. */
export function useMarking(session: string, round: number, version: number): MarkingDesk {
  const [questions, setQuestions] = useState<MarkedQuestion[]>();
  const [problem, setProblem] = useState<string>();
  const [unsure, setUnsure] = useState(0); // counts what only the server knows the outcome of
  const known = useRef(0); // the version that is shown, decisions of this desk included
  const sending = useRef(0);

  useEffect(() => setQuestions(undefined), [round]);
  useEffect(() => {
    if (questions && version <= known.current && unsure === 0) return;
    let gone = false;
    const load = async () => {
      const reply = await read<Marking>(session, `marking?round=${round}`, isMarking);
      if (gone || sending.current > 0) return;
      if ("problem" in reply) return setProblem(reply.problem);
      known.current = reply.version;
      setUnsure(0);
      setQuestions(reply.questions.filter(({ kind }) => kind === "text"));
    };
    const timer = setTimeout(() => void load(), questions ? rest : 0);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [session, round, version, unsure, questions === undefined]);

  const decide = async (question: string, group: string, decision: Decision) => {
    setProblem(undefined);
    setQuestions((before) => before && decided(before, question, group, decision));
    sending.current++;
    const reply = await ask(session, "markings", { question, group, verdict: decision }, isVersion);
    sending.current--;
    if ("problem" in reply) setProblem(reply.problem);
    else if (reply.version === known.current + 1) known.current = reply.version;
    if ("problem" in reply || decision === "machine") setUnsure((count) => count + 1);
  };
  return { questions, problem, decide: (question, group, decision) => void decide(question, group, decision) };
}

function isMarking(reply: unknown): reply is Marking {
  return Array.isArray((reply as Partial<Marking> | undefined)?.questions);
}
