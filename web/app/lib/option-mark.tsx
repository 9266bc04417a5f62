// The options' letters and shapes: the same order on the phone, the console and the television.
import type { JSX } from "preact";

const letters = "ABCDEF";

/** The letter of the option at index: A for 0. */
export function optionLetter(index: number): string {
  return letters.charAt(index);
}

// Drawn in a box of 48 by 48; baseline is where a letter sits that looks centred in the shape.
const shapes: { shape: JSX.Element; baseline: number }[] = [
  { shape: <circle class="shape" cx="24" cy="24" r="21" />, baseline: 31 },
  { shape: <path class="shape" d="M24 4 46 43H2Z" />, baseline: 38 },
  { shape: <rect class="shape" x="5" y="5" width="38" height="38" rx="3" />, baseline: 31 },
  { shape: <path class="shape" d="M24 1.5 46.5 24 24 46.5 1.5 24Z" />, baseline: 31 },
  { shape: <path class="shape" d="M24 2.5 46 18.5 37.6 44.5H10.4L2 18.5Z" />, baseline: 32 },
  { shape: <path class="shape" d="M24 2 43.5 13V35L24 46 4.5 35V13Z" />, baseline: 31 },
];

/** An option's mark: a letter in a shape of its own, as large as the type around it. It is decoration: say the letter in words too. */
export function OptionMark({ index }: { index: number }) {
  const drawn = shapes[index];
  if (!drawn) return null;
  return (
    <svg class="option-mark" data-letter={optionLetter(index)} viewBox="0 0 48 48" aria-hidden="true">
      {drawn.shape}
      <text x="24" y={drawn.baseline}>
        {optionLetter(index)}
      </text>
    </svg>
  );
}
