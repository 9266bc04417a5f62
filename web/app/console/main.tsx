import { render } from "preact";
import { boot, emptied } from "../lib/boot";
import type { HostLive, HostSnapshot } from "../lib/protocol";
import { Transport } from "../lib/transport";
import { Console } from "./console";

const page = boot();
if (page.page === "console") {
  const transport = new Transport<HostSnapshot, HostLive>({ path: `/api/v1/sessions/${page.session}/host`, part: "live" });
  const { owner, cohost } = page;
  const cohosting = owner === undefined || cohost === undefined ? undefined : { owner, cohost };
  render(<Console session={page.session} screenURL={page.screenURL} allowed={page} sights={page.sights} cohosting={cohosting} transport={transport} />, emptied());
}
