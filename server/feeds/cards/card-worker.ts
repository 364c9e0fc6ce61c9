import { setTimeout as pause } from "node:timers/promises";
import { handleJobs } from "../../rendering/handle-jobs.ts";
import { drawCard } from "./draw.ts";
import type { CardText } from "./layout.ts";

/** The worker pauses for this multiple of the time that it spent on a card, to leave CPU time for page requests. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 500;

let pauseEnded: Promise<unknown> = Promise.resolve();

async function drawInTurn(card: CardText): Promise<Uint8Array | null> {
  await pauseEnded;
  const start = performance.now();
  try {
    return await drawCard(card);
  } finally {
    pauseEnded = pause(Math.min(PAUSE_FACTOR * (performance.now() - start), MAX_PAUSE_MS));
  }
}

handleJobs(drawInTurn);
