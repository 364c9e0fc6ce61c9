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

/**
 * Taller than the pages that the journeys open, so that every element is in view: BiDi never scrolls to an element
 * before a click, and WebKit's driver doesn't always.
 */
export const WINDOW = { width: 1280, height: 3000 };
