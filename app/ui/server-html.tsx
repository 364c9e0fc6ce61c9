import { createContext, useContext, useRef } from "react";
import { useScrollStops } from "./scroll-stops.ts";

/** HTML in the document, by key, so that the page's data need not repeat it. */
const fromDocument = new Map<string, string>();

function readFromDocument(key: string): string | undefined {
  if (typeof document === "undefined") return undefined;
  const known = fromDocument.get(key);
  if (known !== undefined) return known;
  const html = document.querySelector(`[data-html="${CSS.escape(key)}"]`)?.innerHTML;
  if (html !== undefined) fromDocument.set(key, html);
  return html;
}

export const RenderedHtml = createContext<(key: string) => string | undefined>(readFromDocument);

interface ServerHtmlProps {
  htmlKey: string;
  html: string | undefined;
  as?: "div" | "code";
  className?: string;
}

/** `html` must come from the server's renderers, which escape. `htmlKey` is unique on the page. */
export function ServerHtml({ htmlKey, html, as: Element = "div", className }: ServerHtmlProps) {
  const find = useContext(RenderedHtml);
  const element = useRef<HTMLElement>(null);
  useScrollStops(element, html);
  return (
    <Element
      ref={element as never}
      data-html={htmlKey}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by server/rendering from an escaped syntax tree
      dangerouslySetInnerHTML={{ __html: html ?? find(htmlKey) ?? "" }}
    />
  );
}
