import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../tests/fixtures/free-port.ts";
import { listen } from "./listen.ts";

/** Takes the headers of the beginning, listens on a free port, returns the listener and what asks there. */
async function open(headers?: Record<string, string>) {
  const port = await freePort();
  const listener = await listen("127.0.0.1", port, headers);
  onTestFinished(() => listener.close());
  return { listener, ask: (path = "/") => fetch(`http://127.0.0.1:${port}${path}`) };
}

test("asks to come again until it serves, under the headers that it was given", async () => {
  const { ask } = await open({ "X-Frame-Options": "DENY" });
  const answer = await ask();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toBe("1");
  expect(answer.headers.get("X-Frame-Options")).toBe("DENY");
});

test("lets each request meet the door before anything else", async () => {
  const { listener, ask } = await open({ "X-Frame-Options": "DENY" });
  const atDoor = ({ url }: IncomingMessage, response: ServerResponse) => {
    if (url !== "/ready") return false;
    response.end("at the door");
    return true;
  };
  listener.serve(() => new Response("inside"), atDoor);
  expect(await (await ask("/ready")).text()).toBe("at the door");
  const answer = await ask("/other");
  expect(await answer.text()).toBe("inside");
  expect(answer.headers.get("X-Frame-Options")).toBeNull();
});
