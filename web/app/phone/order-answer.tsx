import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Announcement } from "../lib/announce";
import { Check, Down, Grip, Up } from "../lib/icons";
import { t } from "../lib/language";
import { motion } from "../lib/motion";
import { OptionMark, optionLetter } from "../lib/option-mark";
import { QuizLanguage } from "../lib/quiz-language";
import { ordinal } from "../lib/words";
import { isLong } from "./options";
import { dropped, isComplete, moved, type Place, rows, tapped } from "./ordering";

interface OrderAnswerProps {
  options: string[];
  placed: number[];
  onChange: (placed: number[]) => void;
}

/** Puts options in order: tapped one after the other, dragged, or moved up and down by buttons and arrow keys. */
export function OrderAnswer({ options, placed, onChange }: OrderAnswerProps) {
  const list = useRef<HTMLOListElement>(null);
  const [selected, select] = useState<number>();
  const [news, announce] = useState("");
  const language = useContext(QuizLanguage);
  const count = options.length;
  const complete = isComplete(placed, count);
  const shown = rows(placed, count);
  const drag = useDrag(list, (from, to) => move(from, to));
  useSliding(list, shown.join());

  const announcePlace = (option: number, at: number) => announce(t("{option}: {place}", { option: options[option] ?? "", place: ordinal(at + 1) }));
  const place = (option: number) => {
    const after = tapped(placed, option);
    onChange(after);
    const at = after.indexOf(option);
    if (at < 0) announce(t("{option}: no place", { option: options[option] ?? "" }));
    else announcePlace(option, at);
  };
  const move = (from: number, to: number) => {
    const option = shown[from];
    if (option === undefined || to < 0 || to >= count || (from === to && complete)) return;
    onChange(moved(placed, count, from, to));
    select(option);
    announcePlace(option, to);
  };
  const at = selected === undefined ? -1 : shown.indexOf(selected);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const row = [...list.current!.children].findIndex((item) => item.contains(event.target as Node));
    if (step === 0 || row < 0) return;
    event.preventDefault();
    const option = shown[row];
    if (complete && option === selected) move(row, row + step);
    else list.current!.children[row + step]?.querySelector("button")?.focus();
  };
  return (
    <>
      <ol class="options ordering" ref={list} data-long={isLong(options)} onKeyDown={onKeyDown}>
        {shown.map((option, row) => {
          const position = placed.indexOf(option);
          return (
            <li key={option} style={drag.style(row)} data-dragged={drag.row === row ? "" : undefined}>
              <button
                type="button"
                class="option"
                data-chosen={position >= 0 ? "" : undefined}
                data-selected={complete && option === selected ? "" : undefined}
                aria-pressed={complete ? option === selected : position >= 0}
                onClick={() => (complete ? select(option === selected ? undefined : option) : place(option))}
              >
                <OptionMark index={option} />
                <span class="option-words">
                  <span class="visually-hidden">{optionLetter(option)}. </span>
                  <bdi class="option-text" lang={language}>
                    {options[option]}
                  </bdi>
                  {position >= 0 && <span class="visually-hidden">, {ordinal(position + 1)}</span>}
                </span>
              </button>
              <span class="grip" onPointerDown={(event) => drag.start(event, row)}>
                <span class="order-place tabular" aria-hidden="true">
                  {position >= 0 ? position + 1 : ""}
                </span>
                <Grip />
              </span>
            </li>
          );
        })}
      </ol>
      <OrderTools
        complete={complete}
        up={at > 0 ? () => move(at, at - 1) : undefined}
        down={at >= 0 && at < count - 1 ? () => move(at, at + 1) : undefined}
        over={() => onChange([])}
      />
      <Announcement text={news} />
    </>
  );
}

interface OrderToolsProps {
  complete: boolean;
  up?: (() => void) | undefined;
  down?: (() => void) | undefined;
  /** Absent: there is nothing to move any more, and only their room is left. */
  over?: () => void;
}

/** How to put them in order and, once all have a place, what moves the selected one. */
export function OrderTools({ complete, up, down, over }: OrderToolsProps) {
  return (
    <div class="order-tools" data-kept={over ? undefined : ""}>
      {complete ? (
        <>
          <button type="button" class="button" aria-disabled={!up} onClick={up}>
            <Up /> {t("Up")}
          </button>
          <button type="button" class="button" aria-disabled={!down} onClick={down}>
            <Down /> {t("Down")}
          </button>
          <button type="button" class="button button-quiet" onClick={over}>
            {t("Start over")}
          </button>
        </>
      ) : (
        <p>{t("Tap them in order, or drag them by the handle.")}</p>
      )}
    </div>
  );
}

interface Drag {
  row: number;
  from: number; // where the pointer came down, in pixels
  distance: number;
  places: Place[];
}

/** Moves a row with the pointer, the others out of its way, and says where it was let go. */
function useDrag(list: { current: HTMLElement | null }, drop: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef(drag);
  const set = (value: Drag | undefined) => {
    latest.current = value;
    setDrag(value);
  };
  const start = (event: PointerEvent, row: number) => {
    const handle = event.currentTarget as HTMLElement;
    const places = [...list.current!.children].map((item) => {
      const { offsetTop: top, offsetHeight: height } = item as HTMLElement;
      return { top, height };
    });
    handle.setPointerCapture(event.pointerId);
    set({ row, from: event.clientY, distance: 0, places });
    const during = (event: PointerEvent) => set({ ...latest.current!, distance: event.clientY - latest.current!.from });
    const end = (event: PointerEvent) => {
      handle.removeEventListener("pointermove", during);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
      const { places, distance } = latest.current!;
      set(undefined);
      if (event.type === "pointerup" && Math.abs(distance) > 4) drop(row, dropped(places, row, distance));
    };
    handle.addEventListener("pointermove", during);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  };
  const style = (row: number): { transform: string } | undefined => {
    if (!drag) return undefined;
    const { places, distance, row: dragged } = drag;
    if (row === dragged) return { transform: `translateY(${distance}px)` };
    const to = dropped(places, dragged, distance);
    const height = (places[dragged]?.height ?? 0) + gap(places);
    const shift = dragged < row && row <= to ? -height : to <= row && row < dragged ? height : 0;
    return { transform: `translateY(${shift}px)` };
  };
  return { row: drag?.row, start, style };
}

function gap([first, second]: readonly Place[]): number {
  return first && second ? second.top - first.top - first.height : 0;
}

/** Lets rows slide to their new places. */
function useSliding(list: { current: HTMLElement | null }, order: string): void {
  const before = useRef(new Map<Element, number>());
  useLayoutEffect(() => {
    const tops = new Map<Element, number>();
    for (const row of list.current?.children ?? []) {
      const top = (row as HTMLElement).offsetTop;
      const was = before.current.get(row);
      if (was !== undefined && was !== top) motion(row, [{ transform: `translateY(${was - top}px)` }, { transform: "none" }]);
      tops.set(row, top);
    }
    before.current = tops;
  }, [order]);
}

interface OrderedProps {
  options: string[];
  /** The order that was given, if one was. */
  given: number[] | undefined;
  /** From the reveal on. */
  right: number[] | undefined;
}

/** An order that stands: the given one, or from the reveal on the right one with what was given beside it. */
export function Ordered({ options, given, right }: OrderedProps) {
  const language = useContext(QuizLanguage);
  const shown = right ?? given ?? options.map((_, index) => index);
  return (
    <ol class="options ordering" data-over={given ? undefined : ""} data-long={isLong(options)}>
      {shown.map((option, row) => {
        const mine = given?.indexOf(option);
        const verdict = right && given && (mine === row ? "right" : "wrong");
        return (
          <li key={option}>
            <div class="option" data-chosen={given && !right ? "" : undefined} data-verdict={verdict}>
              <OptionMark index={option} />
              <span class="option-words">
                <span class="visually-hidden">{optionLetter(option)}. </span>
                <bdi class="option-text" lang={language}>
                  {options[option]}
                </bdi>
                {verdict && (
                  <span class="option-note">
                    {verdict === "right" ? (
                      <>
                        <Check />
                        {t("Right")}
                      </>
                    ) : (
                      t("You had it {place}", { place: ordinal(mine! + 1) })
                    )}
                  </span>
                )}
              </span>
              {(given || right) && <span class="order-place tabular">{row + 1}</span>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
