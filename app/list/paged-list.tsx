import {
  createContext,
  Fragment,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Link, useLocation } from "react-router";
import { focusElement, focusTarget, mayMoveFocus } from "../ui/focus.ts";
import { LocalDate } from "../ui/local-date.tsx";
import { Empty } from "../ui/panel.tsx";
import { SlowProgress } from "../ui/slow-progress.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { CardBoundary } from "./card-boundary.tsx";
import { formatQuery } from "./search-params.ts";
import type { ListOnScreen } from "./use-list.ts";

const BUTTON =
  "inline-flex min-h-11 items-center justify-center border-2 border-ink px-4 text-base font-semibold hover:bg-marker hover:text-on-marker";

/** The next page is loaded when the end of the list is this close to the viewport. */
const PRELOAD_DISTANCE = "1200px";

/** The ids of the listed cards, in order. Empty outside a list. */
const ListedIds = createContext<string[]>([]);

export const useListedIds = () => useContext(ListedIds);

const opensElsewhere = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  metaKey || ctrlKey || shiftKey || altKey;

interface PagedListProps<Card> {
  ref?: Ref<HTMLDivElement>;
  list: ListOnScreen<Card>;
  /** Shown if the list is empty. An empty string shows nothing. */
  empty: string;
  /** The searched text. If the list is empty, a link searches everything for this text. */
  searched?: string;
  /** The id of the card to highlight instead of the one that the URL's fragment names. */
  markedId?: string | undefined;
  idOf(card: Card): string;
  renderCard(card: Card): ReactNode;
  /** Renders content after the card with this id or, for null, before the first card. */
  renderAfter?(id: string | null): ReactNode;
}

export function PagedList<Card>(props: PagedListProps<Card>) {
  const { ref, list, empty, searched, markedId, idOf, renderCard, renderAfter } = props;
  const { query, cards, cursor, nextQuery, olderQuery, notes, showMore } = list;
  const isEmpty = cards.length === 0 && empty !== "" && !notes.older;
  const ids = useMemo(() => cards.map(idOf), [cards, idOf]);
  const target = useTarget();
  const marked = markedId ?? target;
  const element = useRef<HTMLDivElement>(null);
  /** The index of the card to focus when the next page has loaded. */
  const indexToFocus = useRef<number>(undefined);

  const more = useRef<HTMLAnchorElement>(null);
  const start = useRef<HTMLAnchorElement>(null);
  const older = useRef<HTMLAnchorElement>(null);
  /** Whether the reader has followed the link to older items, which disappears with this list. */
  const isContinuing = useRef(false);
  /** The last page's link stays until the focus has moved from it, because a reading position would be lost with it. */
  const [lastQuery, setLastQuery] = useState(nextQuery);
  const linkQuery = nextQuery ?? lastQuery;

  const focusAdded = useEffectEvent(() => {
    if (indexToFocus.current === undefined || indexToFocus.current >= cards.length) return;
    const added = element.current?.querySelectorAll<HTMLElement>("article")[indexToFocus.current];
    indexToFocus.current = undefined;
    if (added && mayMoveFocus(more.current)) focusElement(focusTarget(added));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list may contain the card to focus
  useLayoutEffect(() => {
    focusAdded();
    setLastQuery(nextQuery);
  }, [cards, nextQuery]);

  const focusContinued = useEffectEvent(() => {
    if (!isContinuing.current) return;
    isContinuing.current = false;
    const first = element.current?.querySelector<HTMLElement>("article");
    const target = first ? focusTarget(first) : start.current;
    if (target && mayMoveFocus(older.current)) focusElement(target);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that starts elsewhere is the continued search
  useLayoutEffect(focusContinued, [cursor.after]);

  function onClick(event: MouseEvent) {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    indexToFocus.current = cards.length;
    showMore();
  }

  return (
    <div ref={ref} className="paged-list">
      {cursor.after && (
        <Link ref={start} to={{ search: query }} className={`${BUTTON} mb-6`}>
          Start of the List
        </Link>
      )}
      {renderAfter?.(null)}
      {isEmpty && <Empty>{empty}</Empty>}
      {isEmpty && query && <ClearSearch />}
      {cards.length === 0 && !notes.older && searched && <SearchEverything text={searched} />}
      <div ref={element} className={cursor.after ? undefined : "list-start"}>
        <ListedIds value={ids}>
          {/* React hydrates what is in a <Suspense> last, so an early search doesn't wait for the cards. */}
          <Suspense>
            {cards.map((card) => (
              <Fragment key={idOf(card)}>
                <div data-target={idOf(card) === marked || undefined}>
                  <CardBoundary>{renderCard(card)}</CardBoundary>
                </div>
                {renderAfter?.(idOf(card))}
              </Fragment>
            ))}
          </Suspense>
        </ListedIds>
      </div>
      {linkQuery && (
        <ShowMore
          ref={more}
          query={linkQuery}
          isBusy={list.isBusy}
          hasFailed={list.hasPageFailed}
          onNear={showMore}
          onClick={onClick}
        />
      )}
      {notes.older && olderQuery && !nextQuery && (
        <Older
          ref={older}
          time={notes.older.time}
          query={olderQuery}
          onClick={(event) => {
            isContinuing.current = !opensElsewhere(event);
          }}
        />
      )}
      <SlowProgress isPending={list.isSearching} />
    </div>
  );
}

interface OlderProps {
  ref: RefObject<HTMLAnchorElement | null>;
  time: string;
  query: string;
  onClick(event: MouseEvent): void;
}

/** Shows how far back a search has looked before its budget was used up, with a link that continues it. */
function Older({ ref, time, query, onClick }: OlderProps) {
  const isOldestFirst = new URLSearchParams(query).get("sort") === "asc";
  return (
    <p className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3 text-muted">
      <span>
        {isOldestFirst ? "This search has looked at items up to " : "This search has looked back to "}
        <LocalDate time={time} />.
      </span>
      <Link ref={ref} to={{ search: query }} onClick={onClick} className={BUTTON}>
        {isOldestFirst ? "Search newer items" : "Search older items"}
      </Link>
    </p>
  );
}

function SearchEverything({ text }: { text: string }) {
  return (
    <TextLink to={{ pathname: "/search", search: formatQuery({ q: text }) }} className="mt-6">
      {`Search everything for "${text}"`}
    </TextLink>
  );
}

/** Links call this if they disappear when they are followed, so that the focus doesn't disappear with them. */
export const focusSearch = () => document.querySelector<HTMLInputElement>("main search [name=q]")?.focus();

function ClearSearch() {
  const { pathname } = useLocation();
  return (
    <Link to={pathname} onClick={focusSearch} className={`${BUTTON} me-6 mt-6`}>
      Clear Search
    </Link>
  );
}

interface ShowMoreProps {
  ref: RefObject<HTMLAnchorElement | null>;
  query: string;
  isBusy: boolean;
  hasFailed: boolean;
  onNear(): void;
  onClick(event: MouseEvent): void;
}

/**
 * Whether the reader moves through the list with the keyboard. If so, it grows only on request: otherwise, the reader
 * could never reach what follows it.
 */
const isReadWithKeyboard = (link: Element) =>
  link.closest(".paged-list")?.querySelector(":focus-visible") != null;

/**
 * A link that loads the next page when it comes near the viewport, unless the list is being read with the keyboard.
 * Readers can also click it.
 */
function ShowMore({ ref, query, isBusy, hasFailed, onNear, onClick }: ShowMoreProps) {
  const loadNextPage = useEffectEvent(onNear);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page moves the link
  useEffect(() => {
    const link = ref.current;
    if (!link || isBusy) return;
    // The observer reports first where the link is now. After a failure, wait until the reader scrolls back to it.
    let isFirstReport = hasFailed;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.some(({ isIntersecting }) => isIntersecting);
        if (isNear && !isFirstReport && !isReadWithKeyboard(link)) loadNextPage();
        isFirstReport = false;
      },
      { rootMargin: PRELOAD_DISTANCE },
    );
    observer.observe(link);
    return () => observer.disconnect();
  }, [ref, query, isBusy, hasFailed]);
  return (
    <Link ref={ref} to={{ search: query }} onClick={onClick} className={`${BUTTON} mt-6`}>
      Show More
    </Link>
  );
}

/** Returns the id in the URL's fragment, and remembers it, because loading the next page removes the fragment. */
function useTarget(): string {
  const { hash } = useLocation();
  const [target, setTarget] = useState("");
  // Read the fragment after hydration, because the server doesn't receive it.
  useEffect(() => {
    if (hash) setTarget(hash.slice(1));
  }, [hash]);
  return target;
}
