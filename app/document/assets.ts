import { createContext } from "react";

/** What is written into every document itself, so that the first paint waits for nothing else. */
interface Assets {
  styles: string;
  intent: string;
}

/**
 * The server fills this in. In the browser the document has them already: React leaves their text alone
 * when it hydrates, and finds the styles again should it ever render the document anew.
 */
export const DocumentAssets = createContext<Assets>({
  get styles() {
    return typeof document === "undefined" ? "" : (document.querySelector("style")?.textContent ?? "");
  },
  intent: "",
});
