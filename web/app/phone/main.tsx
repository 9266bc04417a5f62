import { render } from "preact";
import { useState } from "preact/hooks";
import { boot, emptied } from "../lib/boot";
import { Join } from "./join";
import { forgetLastState } from "./last-state";
import { Play } from "./play";
import { showPresses } from "./pressed";

/** Joining and playing are one page: who has joined is in the game without another request. */
function Phone() {
  const first = boot();
  const [session, setSession] = useState(first.page === "play" ? sessionInAddress() : undefined);
  if (session !== undefined) return <Play session={session} />;
  if (first.page !== "join") throw new Error(`the phone has no page ${first.page}`);
  const joined = (session: string) => {
    forgetLastState(); // which may be of another seat in the same session
    history.replaceState(null, "", `/play/${session}`);
    setSession(session);
  };
  return <Join {...first} onJoined={joined} />;
}

/** The page of play is the same for all sessions. */
function sessionInAddress(): string {
  return decodeURIComponent(location.pathname.replace("/play/", ""));
}

showPresses();
render(<Phone />, emptied());
