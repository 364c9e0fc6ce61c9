import { createElement, type ReactElement } from "react";

/** Stands behind the code that it copies; `useCopyButtons` answers it. */
export function CopyCode(): ReactElement {
  return createElement(
    "button",
    { type: "button", className: "copy-code", "aria-label": "Copy code" },
    "Copy",
  );
}
