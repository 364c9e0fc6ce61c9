import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "./browser.ts";

const TIMEOUT_MS = 15_000;
const RETRY_MS = 100;
const TAGS = { link: "a", button: "button", checkbox: "input[@type='checkbox']" };

const isNamed = (name: string) =>
  `normalize-space()="${name}" or @aria-label="${name}" or @id=//label[normalize-space()="${name}"]/@for or ancestor::label[normalize-space()="${name}"]`;
const contains = (text: string) => `.//text()[contains(., "${text}")]`;

export type Visit = ReturnType<typeof visitWith>;

/** Uses the browser as a visitor does. Finds links, buttons and fields by name, and reads only the `main` element. */
export function visitWith(browser: Browser, origin: string) {
  async function withElement(xpath: string, use: (element: string) => Promise<void>): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      try {
        const element = await browser.find(xpath);
        if (element !== undefined) return await use(element);
        if (performance.now() > deadline) throw new Error(`No element within ${TIMEOUT_MS} ms: ${xpath}`);
      } catch (error) {
        // Try again: while a page loads, an element can disappear between being found and being used.
        if (performance.now() > deadline) throw error;
      }
      await sleep(RETRY_MS);
    }
  }
  const appears = (xpath: string) => withElement(xpath, async () => undefined);

  return {
    open: (path: string) => browser.open(origin + path),
    click: (role: keyof typeof TAGS, name: string) =>
      withElement(`//${TAGS[role]}[${isNamed(name)}]`, browser.click),
    type: (label: string, text: string) =>
      withElement(`//*[self::input or self::textarea][${isNamed(label)}]`, (field) =>
        browser.type(field, text),
      ),
    async sees(...texts: string[]) {
      for (const text of texts) await appears(`//main[${contains(text)}]`);
    },
    doesNotSee: (text: string) => appears(`//main[not(${contains(text)})]`),
  };
}
