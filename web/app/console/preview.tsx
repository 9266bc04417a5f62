import type { HostLive, HostSnapshot } from "../lib/protocol";
import { Stage } from "../screen/stage";
import { screenLive, screenView } from "../screen/view";

interface PreviewProps {
  snapshot: HostSnapshot;
  live: HostLive | undefined;
  now: () => number;
}

/** A true miniature of the television. It is only looked at: what it says stands beside it in words. */
export function Preview({ snapshot, live, now }: PreviewProps) {
  return (
    <div class="preview" aria-hidden="true" inert>
      <Stage snapshot={screenView(snapshot)} live={live && screenLive(live)} now={now} />
    </div>
  );
}
