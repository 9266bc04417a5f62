import { render } from "preact";
import { boot } from "../lib/boot";
import { Importer } from "./importer";

const root = document.getElementById("app");
if (root && boot().page === "importer") render(<Importer />, root);
