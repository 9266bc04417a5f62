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

/** What is cut off, in words: pages that must be scrolled sideways, text that no scrolling brings into view, and what of the big screen's top hangs into the question. */
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
  for (const part of document.querySelectorAll(".stage-top > *")) {
    const below = part.getBoundingClientRect().bottom - part.parentElement.getBoundingClientRect().bottom;
    if (below > 1) faults.push(`hangs ${below} out of the top: ${shortly(part)}`);
  }
  return faults;
};

/** Brings what moves and comes to rest by itself to its end at once, and waits until the page is drawn. */
const rest = async () => {
  const ends = ({ effect }) => effect.getComputedTiming().endTime !== Infinity && effect.target.checkVisibility();
  for (;;) {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const frames = [...document.querySelectorAll("iframe")].flatMap((frame) => frame.contentDocument ?? []); // miniatures of other screens
    const moving = [document, ...frames].flatMap((page) => page.getAnimations()).filter((animation) => animation.playState === "running" && ends(animation)); // also what was drawn just now
    if (moving.length === 0) return true;
    for (const animation of moving) animation.finish();
  }
};

/** The rules of accessibility that the page breaks, in words; axe must be there. colours asks for those of contrast only. */
const brokenRules = async (colours) => {
  const rules = colours ? ["color-contrast"] : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  return violationsOf(rules);
};

const violationsOf = async (rules) => {
  const sizes = { "target-size": { enabled: !rules.some((rule) => rule.startsWith("color-contrast")) } }; // of WCAG 2.2, which axe leaves out unless asked
  const { violations } = await axe.run(document, { runOnly: rules, rules: sizes, resultTypes: ["violations"] });
  const place = ({ html, failureSummary }) => `  ${html} ${failureSummary}`;
  return violations.map(({ id, help, nodes }) => [`${id}: ${help}`, ...nodes.map(place)].join("\n"));
};

/** Text whose contrast is less than AAA asks for; axe must be there. */
const paleWords = () => violationsOf(["color-contrast-enhanced"]);

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

const called = (element) => element.labels?.[0]?.innerText ?? nameOf(element);

const shortly = (element) => element.outerHTML.slice(0, 160);

/** What a colour is in red, green and blue, and how much it covers. */
const rgba = (color) => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
};

const luminance = (color) => {
  const [r, g, b] = [...rgba(color)].map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const contrast = (one, other) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

const covers = (color) => color !== "none" && rgba(color)[3] > 127;

/** What an element stands on. */
const groundOf = (element) => {
  for (let box = element; box; box = box.parentElement) {
    const { backgroundColor } = getComputedStyle(box);
    if (covers(backgroundColor)) return backgroundColor;
  }
  const sheet = document.body.appendChild(document.createElement("div"));
  sheet.style.backgroundColor = "Canvas"; // which is another where colours are forced
  const { backgroundColor } = getComputedStyle(sheet);
  sheet.remove();
  return backgroundColor;
};

/** Keeps in mind what says something by its ground alone, such as a bar, until colours are forced. */
const rememberGrounds = () => {
  window.grounds = [...document.body.querySelectorAll("*")].filter((element) => {
    if (element.children.length > 0 || element.textContent || !visible(element) || element.closest("svg, iframe, [aria-hidden=true][inert]")) return false;
    const { backgroundColor } = getComputedStyle(element);
    return !element.matches("img, video, audio, input, select, textarea, meter, progress") && covers(backgroundColor) && contrast(backgroundColor, groundOf(element.parentElement)) > 1.5;
  });
};

const edges = ["Top", "Right", "Bottom", "Left"];
const states = "[data-chosen], [data-selected], [data-verdict], [aria-pressed=true], [aria-selected=true], [aria-current]:not([aria-current=false])";

/** How an element differs from others when the system chooses the colours: edges, grounds, weight, and what else is in it. */
const looks = (element) => {
  const style = getComputedStyle(element);
  const { color, fontWeight, textDecorationLine, outlineStyle, outlineWidth } = style;
  const frame = edges.map((edge) => [style[`border${edge}Width`], style[`border${edge}Style`], style[`border${edge}Color`]]);
  return JSON.stringify([frame, groundOf(element), color, fontWeight, textDecorationLine, outlineStyle, outlineWidth, element.querySelectorAll("*").length]);
};

/** What means something and is not seen any more where the system chooses the colours. */
const lost = () => {
  const faults = [];
  for (const svg of document.querySelectorAll("svg")) {
    if (!visible(svg) || svg.closest("[inert]")) continue;
    const ground = groundOf(svg.parentElement);
    const drawn = [...svg.querySelectorAll("path, circle, rect, line, polyline, polygon, text, use")];
    const seen = (part) => [getComputedStyle(part).fill, getComputedStyle(part).stroke].some((color) => covers(color) && contrast(color, ground) >= 3);
    if (drawn.length > 0 && !drawn.some(seen)) faults.push(`nothing is seen of ${shortly(svg)}`);
  }
  for (const bar of window.grounds.filter((element) => element.isConnected && visible(element))) {
    const style = getComputedStyle(bar);
    const framed = edges.some((edge) => parseFloat(style[`border${edge}Width`]) >= 1 && covers(style[`border${edge}Color`]));
    if (!framed && contrast(style.backgroundColor, groundOf(bar.parentElement)) < 3) faults.push(`nothing is seen of ${shortly(bar)}`);
  }
  for (const element of document.querySelectorAll(states)) {
    if (!visible(element) || element.closest("[inert]")) continue;
    const kin = `${element.localName}${element.classList.length > 0 ? `.${element.classList[0]}` : ""}`;
    const others = [...(element.closest("ul, ol, nav, form, section, header, main") ?? document.body).querySelectorAll(kin)];
    const plain = others.find((other) => other !== element && !other.matches(states) && visible(other));
    if (plain && looks(plain) === looks(element)) faults.push(`looks like the others: ${shortly(element)}`);
  }
  return faults;
};

/** What moves for longer than a blink. */
const movements = () => {
  const blink = 0.1; // seconds
  const longest = (durations) => Math.max(...durations.split(",").map(parseFloat));
  return [...document.querySelectorAll("*")].flatMap((element) =>
    [null, "::before", "::after"].flatMap((part) => {
      const { animationName, animationDuration, transitionProperty, transitionDuration } = getComputedStyle(element, part);
      const moves = (animationName !== "none" && longest(animationDuration) > blink) || (transitionProperty !== "none" && longest(transitionDuration) > blink);
      return moves ? [`${part ?? ""} moves: ${shortly(element)}`] : [];
    }),
  );
};

/** Fields into which nothing can be pasted. */
const refusals = () => {
  const fields = [...document.querySelectorAll("input, textarea")].filter(visible);
  const takes = (field) => field.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: new DataTransfer() }));
  return fields.filter((field) => !takes(field)).map((field) => `nothing can be pasted into ${shortly(field)}`);
};

/** What can be pressed and is smaller than so many pixels, but for links among words. */
const smallTargets = (least) => {
  const all = [...document.querySelectorAll("button, a[href], summary, select, textarea, input, label:has(input)")];
  const small = (element) => {
    const { width, height } = (element.matches(choices) ? (element.closest("label") ?? element) : element).getBoundingClientRect();
    return Math.min(width, height) < least - 0.5;
  };
  const pressed = all.filter((element) => visible(element) && enabled(element) && !element.closest("[inert]") && getComputedStyle(element).display !== "inline");
  return pressed.filter(small).map((element) => `smaller than ${least} pixels: ${shortly(element)}`);
};
