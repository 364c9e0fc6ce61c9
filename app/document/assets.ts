import { createContext } from "react";

interface Assets {
  styles: string;
  script: string;
}

/** The server fills this in. React leaves the text alone when it hydrates, and finds the styles should it render anew. */
export const DocumentAssets = createContext<Assets>({
  get styles() {
    return typeof document === "undefined" ? "" : (document.querySelector("style")?.textContent ?? "");
  },
  script: "",
});
