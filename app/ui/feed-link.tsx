/** Its padding makes it easier to hit, and changes no line's height. */
export function FeedLink({ feed, name }: { feed: string; name: string }) {
  return (
    <a
      href={feed}
      aria-label={`Feed of all ${name.toLowerCase()}`}
      className="py-3 text-ink underline underline-offset-4"
    >
      Feed
    </a>
  );
}
