import { render } from "preact";
import { boot, emptied } from "../lib/boot";
import { LookPage } from "./look-page";

const page = boot();
if (page.page === "look") render(<LookPage first={page.look} style={page.screen} />, emptied());
