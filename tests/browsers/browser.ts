/** What the journeys need of a browser. Elements are named by XPath, which both protocols know without scripts, too. */
export interface Browser {
  version: string;
  /** Resolves when the page has loaded. */
  open(url: string): Promise<void>;
  find(xpath: string): Promise<string | undefined>;
  click(element: string): Promise<void>;
  /** Appends to what the field holds. */
  type(element: string, text: string): Promise<void>;
  /** Errors that the console reported. Only WebDriver BiDi tells them. */
  problems(): string[];
  close(): Promise<void>;
}

/** In pixels. High enough for every page, because BiDi scrolls nothing into view and WebKit's driver not reliably. */
export const WINDOW = { width: 1280, height: 3000 };
