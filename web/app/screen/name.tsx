import { useRef } from "preact/hooks";
import { useFit } from "./fit";

/** A name on one line, made smaller where it is too long for its room. */
export function Name({ name }: { name: string }) {
  const box = useRef<HTMLSpanElement>(null);
  useFit(box, { min: 0.3, max: 1 }, name);
  return (
    <span class="name" ref={box}>
      <bdi>{name}</bdi>
    </span>
  );
}
