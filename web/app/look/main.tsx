import { render } from "preact";
import { boot } from "../lib/boot";
import { LookPage } from "./look-page";

const root = document.getElementById("app");
const page = boot();
if (root && page.page === "look") render(<LookPage first={page.look} style={page.screen} />, root);
