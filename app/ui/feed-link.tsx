/** The padding makes the link easier to hit without changing the line's height. */
export function FeedLink({ feed }: { feed: string }) {
  return (
    <a href={feed} className="py-3 text-ink underline underline-offset-4 print:hidden">
      Feed
    </a>
  );
}
