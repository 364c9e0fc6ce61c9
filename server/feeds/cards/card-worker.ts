import { setTimeout as pause } from "node:timers/promises";
import { drawCard } from "./draw.ts";
import type { CardText } from "./layout.ts";

/** After each drawing, the worker pauses for this multiple of its duration, to leave the CPU to visitors. */
const REST = 2;
const LONGEST_REST_MS = 500;

let rested: Promise<unknown> = Promise.resolve();

export default async function drawInTurn(card: CardText): Promise<Uint8Array | null> {
  await rested;
  const start = performance.now();
  try {
    return await drawCard(card);
  } finally {
    rested = pause(Math.min(REST * (performance.now() - start), LONGEST_REST_MS));
  }
}
