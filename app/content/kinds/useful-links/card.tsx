import { type UsefulLink, usefulLinks } from "../../../../common/kinds/useful-links.ts";
import { hostOf, safeAddress } from "../../../../common/safe-address.ts";
import { Chip } from "../../../ui/chip.tsx";
import { OpenIcon } from "../../../ui/icons.tsx";
import { CardFrame } from "../../card-frame.tsx";
import type { CardProps } from "../../content-kind.ts";

export default function LinkCard({ card: { item }, actions, isPage }: CardProps<UsefulLink>) {
  const address = safeAddress(item.url);
  return (
    <CardFrame
      kind={usefulLinks}
      item={item}
      titleHref={address}
      isPage={isPage}
      actions={actions}
      titleAction={
        <a
          href={address || undefined}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          aria-label={`Open ${item.title}`}
          title={`Open ${item.title}`}
          className="inline-grid size-11 shrink-0 place-items-center text-ink hover:bg-marker hover:text-on-marker"
        >
          <OpenIcon />
        </a>
      }
      details={
        <>
          <span className="font-mono empty:hidden">{hostOf(item.url)}</span>
          <Chip>{item.category}</Chip>
        </>
      }
    >
      {item.description && (
        <p dir="auto" className="max-w-measure whitespace-pre-line text-muted">
          {item.description}
        </p>
      )}
    </CardFrame>
  );
}
