import { useRef } from "react";
import { useScrollStops } from "./scroll-stops.ts";

interface ServerHtmlProps {
  html: string | undefined;
  as?: "div" | "code";
  className?: string;
}

/** Shows HTML from the server's renderers, which escape any HTML that members write. */
export function ServerHtml({ html = "", as: Element = "div", className }: ServerHtmlProps) {
  const element = useRef<HTMLElement>(null);
  useScrollStops(element, html);
  return (
    <Element
      ref={element as never}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: server/rendering escapes HTML that members write
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
