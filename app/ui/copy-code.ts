import { createElement, type ReactElement } from "react";

/** The button must follow the code that it copies. `useCopyButtons` handles its clicks. */
export function CopyCode({ language }: { language: string }): ReactElement {
  return createElement(
    "button",
    { type: "button", className: "copy-code", "aria-label": "Copy code", "aria-description": language },
    "Copy",
  );
}
