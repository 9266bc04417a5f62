// What a person finds on a page. This text goes before an expression, inside a function of its own.

const tidy = (text) => text.replace(/\s+/g, " ").trim();
const has = (text, part) => tidy(text).toLowerCase().includes(tidy(part).toLowerCase());

const visible = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};

/** The text of the first visible element of the selector that contains the part; a space where it contains nothing. */
const see = (selector, part) => {
  const found = [...document.querySelectorAll(selector)].find((element) => visible(element) && has(element.innerText, part));
  return found && (tidy(found.innerText) || " ");
};

const enabled = (element) => !element.disabled && element.ariaDisabled !== "true";
const nameOf = (element) => element.ariaLabel ?? element.innerText;

const choices = "input:is([type=radio], [type=checkbox])";

/** The button, link or choice of a name: one that is called exactly so before one whose name only contains it. */
const control = (name) => {
  const all = [...document.querySelectorAll(`button, a[href], summary, ${choices}, label:has(${choices})`)];
  const able = all.filter((element) => visible(element) && enabled(element));
  return able.find((element) => tidy(nameOf(element)) === name) ?? able.find((element) => has(nameOf(element), name));
};

/** The field of a label. */
const field = (label) => {
  const all = [...document.querySelectorAll("input:not([type=radio], [type=checkbox]), textarea, select")].filter(visible);
  return all.find((element) => [...(element.labels ?? [])].some((own) => has(own.innerText, label)) || has(element.ariaLabel ?? "", label));
};

/** Selects what is in the field, if it has the focus. */
const selected = (element) => {
  if (document.activeElement !== element) return false;
  element.select?.();
  return true;
};

/** Where to click an element, once it stands still and nothing lies over it. */
const point = async (element) => {
  if (!element) return null;
  element.scrollIntoView({ block: "nearest", behavior: "instant" });
  const place = () => JSON.stringify(element.getBoundingClientRect());
  const before = place();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  if (place() !== before) return null;
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const hit = document.elementFromPoint(x, y);
  return hit && (element.contains(hit) || hit.contains(element)) ? { x, y } : null;
};

const scrolls = (style) => style === "auto" || style === "scroll";

/**
 * What of the window an element's content can be seen in, following every box that cuts it off. What can be scrolled down to counts as
 * seen, and so does the rest of what ends in an ellipsis.
 */
const frameOf = (element) => {
  const root = document.documentElement;
  const long = root.scrollHeight > root.clientHeight;
  const frame = { left: 0, top: long ? -Infinity : 0, right: root.clientWidth, bottom: long ? Infinity : root.clientHeight };
  const free = { x: false, y: false }; // whether a box inside has settled the matter
  for (let box = element; box && box !== root; box = box.parentElement) {
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box);
    if (overflowX === "visible" && overflowY === "visible") continue;
    const { left, top, right, bottom } = box.getBoundingClientRect();
    free.x ||= textOverflow === "ellipsis" || (scrolls(overflowX) && box.querySelector("table") !== null); // no other thing is scrolled sideways
    free.y ||= scrolls(overflowY) || webkitLineClamp !== "none";
    if (!free.x) Object.assign(frame, { left: Math.max(frame.left, left), right: Math.min(frame.right, right) });
    if (!free.y) Object.assign(frame, { top: Math.max(frame.top, top), bottom: Math.min(frame.bottom, bottom) });
  }
  if (free.x) Object.assign(frame, { left: -Infinity, right: Infinity });
  if (free.y) Object.assign(frame, { top: -Infinity, bottom: Infinity });
  return frame;
};

/** What is cut off, in words: pages that must be scrolled sideways, and text that no scrolling brings into view. */
const misfits = () => {
  const root = document.documentElement;
  const faults = [];
  if (root.scrollWidth > root.clientWidth + 1) faults.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!tidy(texts.currentNode.data) || !visible(element) || element.closest("script, .visually-hidden, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const frame = frameOf(element);
    const cut = [...range.getClientRects()].find(({ left, top, right, bottom, height }) => {
      const slack = height / 4; // what a font keeps free above and below its letters
      return left < frame.left - 1 || right > frame.right + 1 || top < frame.top - slack || bottom > frame.bottom + slack;
    });
    if (cut) faults.push(`cut off: "${tidy(texts.currentNode.data)}" at ${JSON.stringify(cut)} in ${JSON.stringify(frame)}`);
  }
  return faults;
};

/** Waits until nothing moves that can be seen and comes to rest by itself, and the page is drawn. */
const rest = async () => {
  const ends = ({ effect }) => effect.getComputedTiming().endTime !== Infinity && effect.target.checkVisibility();
  await Promise.allSettled(document.getAnimations().filter(ends).map((animation) => animation.finished));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return true;
};

/** The rules of accessibility that the page breaks, in words; axe must be there. colours asks for those of contrast only. */
const brokenRules = async (colours) => {
  const rules = colours ? ["color-contrast"] : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
  const place = ({ html, failureSummary }) => `  ${html} ${failureSummary}`;
  return violations.map(({ id, help, nodes }) => [`${id}: ${help}`, ...nodes.map(place)].join("\n"));
};

/** The element with the focus, in words; end before the first and after the last. fault says why nobody would find it. */
const focused = () => {
  const element = document.activeElement;
  if (!element || element === document.body) return { end: true };
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const outlined = outlineStyle === "auto" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
  const ring = outlined || boxShadow !== "none";
  const inside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  return { what: element.outerHTML.slice(0, 160), fault: !ring ? "is not marked" : !inside ? "is out of sight" : "" };
};
