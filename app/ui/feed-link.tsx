/** Its padding makes it easier to hit, and changes no line's height. */
export function FeedLink({ feed }: { feed: string }) {
  return (
    <a href={feed} className="py-3 text-ink underline underline-offset-4 print:hidden">
      Feed
    </a>
  );
}
