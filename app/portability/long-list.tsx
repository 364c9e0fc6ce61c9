import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";

/** Ten thousand lines at once would hold up the page. */
const SHOWN_AT_FIRST = 100;

/** A list whose tail is shown on demand. The lines never change their order. */
export function LongList<Item>({
  items,
  className = "",
  children,
}: {
  items: Item[];
  className?: string;
  children(item: Item): ReactNode;
}) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  return (
    <>
      <ul className={className}>
        {items.slice(0, shown).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index}>{children(item)}</li>
        ))}
      </ul>
      {items.length > shown && (
        <Button look="plain" onClick={() => setShown(shown * 10)}>
          Show more ({items.length - shown})
        </Button>
      )}
    </>
  );
}
