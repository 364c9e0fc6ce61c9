import { once } from "node:events";
import { type Browser, WINDOW } from "./browser.ts";

interface Message {
  id?: number;
  type: "success" | "error" | "event";
  result: never;
  message: string;
  params: { level: string; text: string };
}

// The code of the End key (WebDriver, "Keyboard Actions").
const END_KEY = "\uE010";

/** Connects to the browser at `address` and opens a session (W3C WebDriver BiDi). */
export async function connectBidi(address: string): Promise<Browser> {
  const socket = new WebSocket(`${address}/session`);
  const waiting: PromiseWithResolvers<never>[] = [];
  const problems: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const { id = -1, type, result, message, params }: Message = JSON.parse(data);
    if (type === "success") waiting[id]?.resolve(result);
    else if (type === "error") waiting[id]?.reject(new Error(message));
    else if (params.level === "error") problems.push(params.text);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting) reject(new Error("The browser has disconnected"));
  });
  await once(socket, "open");

  function send<Result>(method: string, params: object): Promise<Result> {
    const response = Promise.withResolvers<never>();
    const id = waiting.push(response) - 1;
    socket.send(JSON.stringify({ id, method, params }));
    return response.promise;
  }

  const created = await send<{ capabilities: { browserVersion: string } }>("session.new", {
    capabilities: {},
  });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
  const context = contexts[0]?.context;
  await send("browsingContext.setViewport", { context, viewport: WINDOW });

  const act = (type: "pointer" | "key", actions: object[]) =>
    send<void>("input.performActions", { context, actions: [{ type, id: type, actions }] });
  const press = (value: string) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ];
  const click = (sharedId: string) =>
    act("pointer", [
      { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element: { sharedId } } },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ]);

  return {
    version: created.capabilities.browserVersion,
    open: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    async find(xpath) {
      const locator = { type: "xpath", value: xpath };
      const { nodes } = await send<{ nodes: { sharedId: string }[] }>("browsingContext.locateNodes", {
        context,
        locator,
      });
      return nodes[0]?.sharedId;
    },
    click,
    async type(element, text) {
      await click(element);
      // The End key moves the caret after the text: the click may have put it in the middle.
      await act("key", [END_KEY, ...text].flatMap(press));
    },
    problems: () => problems,
    close: () => send("browser.close", {}),
  };
}
