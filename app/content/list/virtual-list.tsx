import {
  type Dispatch,
  type ReactNode,
  type RefObject,
  type SetStateAction,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { afterPaint } from "../../ui/after-paint.ts";

/** Shorter lists are shown whole, so that the browser's own search finds everything. */
const SHOWN_WHOLE = 120;
/** And these at once: whoever looks finds the one list or the other, never a part of one. */
const SHOWN_AT_ONCE = 60;
/** Places rendered beyond the screen on either side, and how few may be left there before more are. */
const BEYOND = 6;
const CLOSE = 2;
/** Browsers cannot draw taller elements; a longer list's empty ends stand for more than their height. */
const TALLEST = 16_000_000;
const FIRST_GUESS = 320;

interface Range {
  start: number;
  end: number;
}

/** A place that must stay where it is in the document (pixels from its top) while the places around it change. */
interface Anchor {
  index: number;
  offset: number;
  /** The visitor is taken there; otherwise the space above gives way, and his scrolling is left alone. */
  isDestination?: boolean;
}

/** What is drawn first of any list, unless the screen is known to need less. */
const MOST_FIRST = 2 * BEYOND;
const WHOLE: Range = { start: 0, end: SHOWN_WHOLE };

interface VirtualListProps {
  count: number;
  /** Whether there is something to draw at every place. */
  isHere: boolean;
  /** Changes when another list takes this one's place, which begins at its top. */
  identity: unknown;
  /** The place to bring into view, once it is known. */
  target: number | null;
  renderPlace(index: number): ReactNode;
  keyOf(index: number): string | number;
  /** Told which places, the second excluded, are rendered. */
  onRange(start: number, end: number): void;
  className: string;
}

/**
 * Shows a list of any length with as many elements as the screen needs. The heights of places are not known
 * before they are drawn, so the first one on the screen is held where it is whenever others come or go.
 */
export function VirtualList({
  count,
  isHere,
  identity,
  target,
  renderPlace,
  keyOf,
  onRange,
  className,
}: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<Range>({ start: 0, end: MOST_FIRST });
  const [average, setAverage] = useState(FIRST_GUESS);
  const space = useRef<HTMLDivElement>(null);
  const drawnStart = useRef(0);
  const anchor = useRef<Anchor>(null);
  // Another list begins at its top. Of one that is not drawn at once, what the first screen needs comes first: the
  // rest of a shorter one when that has been painted.
  const settled = usePainted(identity);
  const [shown, setShown] = useState(identity);
  if (shown !== identity) {
    setShown(identity);
    setWanted({ start: 0, end: Math.min(Math.ceil(innerHeight / average) + CLOSE, MOST_FIRST) });
  }
  const isWhole = isHere && count <= (settled === identity ? SHOWN_WHOLE : SHOWN_AT_ONCE);
  // Where a short list grows long, what the visitor sees of it stays.
  if (isWhole && wanted !== WHOLE) setWanted(WHOLE);
  const start = isWhole ? 0 : Math.max(0, Math.min(wanted.start, count - 1));
  const end = isWhole ? count : Math.min(wanted.end, count);
  useMeasuredHeight(box, end - start, setAverage);
  const unit = Math.min(average, TALLEST / Math.max(count, 1));

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was held belongs to the list before
  useLayoutEffect(() => {
    anchor.current = null;
  }, [identity]);

  useLayoutEffect(() => {
    if (target === null) return;
    anchor.current = { index: target, offset: scrollY + 24, isDestination: true };
    setWanted({ start: target - BEYOND, end: target + 2 * BEYOND });
  }, [target]);

  useEffect(() => onRange(start, end), [onRange, start, end]);

  // After every drawing: whatever was drawn above it, the anchor goes back to where it was.
  useLayoutEffect(() => {
    const above = space.current;
    if (above && drawnStart.current !== start) above.style.height = `${start * unit}px`;
    drawnStart.current = start;

    const held = anchor.current;
    const place = held && placeAt(box.current, held.index - start);
    if (!place) return;
    let moved = place.getBoundingClientRect().top + scrollY - held.offset;
    if (above && start > 0 && !held.isDestination) {
      const height = above.offsetHeight;
      above.style.height = `${Math.max(0, height - moved)}px`;
      moved = Math.max(0, moved - height);
    }
    held.isDestination = false;
    if (Math.abs(moved) < 1) return;
    held.offset += moved;
    window.scrollBy({ top: moved, behavior: "instant" });
  });

  useEffect(() => {
    if (isWhole) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      const seen = box.current && placesOnScreen(box.current, { start, end }, unit, count);
      if (!seen) return;
      anchor.current = seen.anchor;
      setWanted((range) => {
        const next = { start: Math.max(0, seen.first - BEYOND), end: seen.last + BEYOND };
        const isEnough =
          range.start <= Math.max(0, seen.first - CLOSE) && range.end >= Math.min(count, seen.last + CLOSE);
        return isEnough && range.end - range.start < 5 * BEYOND ? range : next;
      });
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(look);
    };
    schedule();
    addEventListener("scroll", schedule, { passive: true });
    addEventListener("resize", schedule);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", schedule);
      removeEventListener("resize", schedule);
    };
  }, [isWhole, start, end, unit, count]);

  const places = [];
  for (let index = start; index < end; index++) {
    places.push(
      <div key={keyOf(index)} data-target={index === target || undefined}>
        {renderPlace(index)}
      </div>,
    );
  }
  return (
    <div ref={box} data-list="" className={isWhole ? className : `${className} [overflow-anchor:none]`}>
      {isWhole || <div ref={space} data-space="" />}
      {places}
      {end < count && <div data-space="" style={{ height: (count - end) * unit }} />}
    </div>
  );
}

function placesIn(box: HTMLElement): HTMLElement[] {
  return Array.from(box.children).filter((child): child is HTMLElement => !child.hasAttribute("data-space"));
}

function placeAt(box: HTMLElement | null, offset: number): HTMLElement | undefined {
  return box ? placesIn(box)[offset] : undefined;
}

/** Takes a value, returns the last one whose picture is on the screen. */
function usePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(() => value))), [value]);
  return painted;
}

/** Tells how high a place is on average, whenever another number of them has been drawn. */
function useMeasuredHeight(
  box: RefObject<HTMLElement | null>,
  drawn: number,
  setAverage: Dispatch<SetStateAction<number>>,
): void {
  useEffect(() => {
    const places = box.current && placesIn(box.current);
    const first = places?.[0]?.getBoundingClientRect().top;
    const last = places?.at(-1)?.getBoundingClientRect().bottom;
    if (!places || first === undefined || last === undefined || drawn === 0) return;
    const measured = (last - first) / places.length;
    // A guess that moves a little with every screen would move the scroll bar all the time.
    setAverage((guess) => (measured > 0 && Math.abs(measured - guess) > guess * 0.25 ? measured : guess));
  }, [box, drawn, setAverage]);
}

/** Returns the first and last place on the screen, and where the first one stands; after a jump both are computed. */
function placesOnScreen(box: HTMLElement, { start }: Range, unit: number, count: number) {
  // At the list's own top there is nothing above to make up for.
  const isAtTop = box.getBoundingClientRect().top >= 0;
  const places = placesIn(box);
  let first: number | null = null;
  let last = start;
  let anchor: Anchor | null = null;
  let isInView = false;
  for (const [offset, place] of places.entries()) {
    const { top, bottom } = place.getBoundingClientRect();
    if (bottom <= 0 || top >= innerHeight) continue;
    first ??= start + offset;
    last = start + offset;
    // The first that begins on the screen: of one that has begun above it, the visitor may see a pixel only.
    if (!anchor || (!isInView && top >= 0)) anchor = { index: start + offset, offset: top + scrollY };
    isInView ||= top >= 0;
  }
  if (first !== null) return { first, last, anchor: isAtTop ? null : anchor };

  const { top, bottom } = box.getBoundingClientRect();
  if (bottom <= 0 || top >= innerHeight) return null;
  const index = Math.max(0, Math.min(count - 1, Math.floor(-top / unit)));
  return { first: index, last: index + BEYOND, anchor: { index, offset: Math.max(0, top) + scrollY } };
}
