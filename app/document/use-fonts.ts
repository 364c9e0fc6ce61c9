import { useEffect } from "react";
import { whenIdle } from "../ui/when-idle.ts";

const KEY = "techfolio.fonts";

/** Lets CSS use the site's fonts at once if an earlier page has loaded them. Runs in the document's head. */
export const MARK_LOADED_FONTS = `try{localStorage.getItem("${KEY}")&&document.documentElement.setAttribute("data-fonts","")}catch{}`;

/**
 * Loads the site's fonts after hydration. On a first visit over a slow connection, scripts would otherwise share the line
 * with them, and each font that arrives costs a layout, so a search would show its results half a second later.
 */
export function useFonts(): void {
  useEffect(() => {
    whenIdle(() => {
      document.documentElement.dataset["fonts"] = "";
      try {
        localStorage.setItem(KEY, "loaded");
      } catch {
        // Without storage, each document loads them after hydration.
      }
    });
  }, []);
}
