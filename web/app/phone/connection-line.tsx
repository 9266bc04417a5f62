import { Announcement } from "../lib/announce";
import { Signal } from "../lib/icons";
import type { Connection } from "../lib/transport";

const lines: Record<Connection, string> = {
  starting: "",
  socket: "",
  polling: "The connection is slow, so this page looks for news every few seconds. Your answers count.",
  struggling: "The WiFi is struggling. You’re still in; your answers count.",
};

/** One calm line when the news come in slowly or not at all. */
export function ConnectionLine({ connection }: { connection: Connection }) {
  const line = lines[connection];
  return (
    <>
      {line && (
        <p class="connection-line">
          <Signal />
          {line}
        </p>
      )}
      <Announcement text={line} />
    </>
  );
}
