// The script of the pages that are forms. All of them work without it, but for waiting out a limit.
import { offerPasskeys } from "./passkeys";
import { showLocalTimes } from "./local-times";
import { keepTyped } from "./typed";
import { offerPrinting } from "./printing";
import { waitOut } from "./wait-out";

const refused = document.querySelector<HTMLElement>("[data-retry-after]");
if (refused) waitOut(refused);
else keepTyped();
offerPrinting();
showLocalTimes();
offerPasskeys();
