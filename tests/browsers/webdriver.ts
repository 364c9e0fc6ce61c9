import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, WINDOW } from "./browser.ts";

const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 100;

/** Opens a browser through the driver on `port` (W3C WebDriver). */
export async function connectWebDriver(port: number, capabilities: object): Promise<Browser> {
  const origin = `http://127.0.0.1:${port}`;
  async function send(method: string, path: string, body?: object) {
    const response = await fetch(origin + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await send("GET", "/status").catch(() => undefined))?.ready) {
    if (performance.now() > deadline) throw new Error("The WebDriver server did not start");
    await sleep(RETRY_MS);
  }
  const created = await send("POST", "/session", { capabilities: { alwaysMatch: capabilities } });
  const session = `/session/${created.sessionId}`;
  const post = (path: string, body: object) => send("POST", session + path, body);
  await post("/window/rect", WINDOW);

  return {
    version: created.capabilities.browserVersion,
    open: (url) => post("/url", { url }),
    async find(xpath) {
      const [match] = await post("/elements", { using: "xpath", value: xpath });
      return match && String(Object.values(match)[0]);
    },
    click: (element) => post(`/element/${element}/click`, {}),
    type: (element, text) => post(`/element/${element}/value`, { text }),
    problems: () => [],
    close: () => send("DELETE", session),
  };
}
