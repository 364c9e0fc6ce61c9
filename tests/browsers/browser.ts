/**
 * The browser functions that journeys use. Elements are found by XPath, which works over WebDriver and BiDi, even with
 * page scripts disabled.
 */
export interface Browser {
  version: string;
  /** Resolves when the page has loaded. */
  open(url: string): Promise<void>;
  find(xpath: string): Promise<string | undefined>;
  click(element: string): Promise<void>;
  /** Appends the text to the field's value. */
  type(element: string, text: string): Promise<void>;
  /** Console errors. Only WebDriver BiDi reports them. */
  problems(): string[];
  close(): Promise<void>;
}

/** The window is taller than every page, because BiDi never scrolls to elements, and WebKit's driver doesn't always. */
export const WINDOW = { width: 1280, height: 3000 };
