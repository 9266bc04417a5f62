import { Miniature } from "../lib/miniature";
import type { HostLive, HostSnapshot, Look } from "../lib/protocol";
import { PicturedPhone } from "../phone/pictured";
import { Stage } from "../screen/stage";
import { screenLive, screenView } from "../screen/view";
import { phoneView, somebody } from "./phone-view";

export interface SightProps {
  /** Which screen is shown. */
  on: "television" | "phone";
  snapshot: HostSnapshot;
  live: HostLive | undefined;
  /** The server's time now, in Unix milliseconds. */
  now: () => number;
  /** The address of the phones' style sheet. The television's is part of the console's. */
  phoneStyle: string;
  /** The pub's, on the television. */
  look: Look | undefined;
}

/** A true miniature of the television or of a phone, made of the same parts. */
export function Sight({ on, snapshot, live, now, phoneStyle, look }: SightProps) {
  if (on === "television") return <Stage snapshot={screenView(snapshot)} live={live && screenLive(live)} now={now} look={look} />;
  return (
    <Miniature width={360} height={640} style={phoneStyle} round>
      <PicturedPhone shared={phoneView(snapshot)} personal={somebody} now={now} />
    </Miniature>
  );
}
