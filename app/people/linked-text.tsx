import { linkedParts } from "./linked-parts.ts";

/** Shows plain text with links for the web addresses in it. */
export function LinkedText({ text }: { text: string }) {
  return linkedParts(text).map(({ text, isAddress }, index) =>
    isAddress ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
        key={index}
        href={text}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="underline decoration-1 underline-offset-3 hover:decoration-2"
      >
        {text}
      </a>
    ) : (
      text
    ),
  );
}
