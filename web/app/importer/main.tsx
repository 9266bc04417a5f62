import { render } from "preact";
import { boot, emptied } from "../lib/boot";
import { Importer } from "./importer";

if (boot().page === "importer") render(<Importer />, emptied());
