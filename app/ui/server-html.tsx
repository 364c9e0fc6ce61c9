import { useRef } from "react";
import { useScrollStops } from "./scroll-stops.ts";

interface ServerHtmlProps {
  html: string | undefined;
  as?: "div" | "code";
  className?: string;
}

/** Shows HTML that the server's renderers have made. They escape what members have written. */
export function ServerHtml({ html = "", as: Element = "div", className }: ServerHtmlProps) {
  const element = useRef<HTMLElement>(null);
  useScrollStops(element, html);
  return (
    <Element
      ref={element as never}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by server/rendering from an escaped syntax tree
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
