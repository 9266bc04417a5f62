import { keep, kept } from "./storage";

const key = "single-keys";

/** Whether letters and Space act when pressed alone. Who dictates to their computer has them act unasked, and may turn that off for this browser. */
export function singleKeysAct(): boolean {
  return kept(key) !== "off";
}

export function letSingleKeysAct(act: boolean): void {
  keep(key, act ? "on" : "off");
}
