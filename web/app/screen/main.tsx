import { render } from "preact";
import { boot, emptied } from "../lib/boot";
import type { ScreenLive, ScreenSnapshot } from "../lib/protocol";
import { Transport } from "../lib/transport";
import { Screen } from "./screen";

const page = boot();
if (page.page === "screen") {
  const transport = new Transport<ScreenSnapshot, ScreenLive>({ path: `/api/v1/sessions/${page.session}/screen`, part: "live" });
  render(<Screen transport={transport} look={page.look} />, emptied());
}
