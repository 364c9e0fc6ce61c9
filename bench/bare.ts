import type { Answers } from "./bare-server.ts";
import { type Child, startChild } from "./child.ts";

/** A bare server in a process of its own. */
export interface Bare extends Child {
  url: string;
}

export async function startBare(answers: Answers): Promise<Bare> {
  const child = await startChild("./bare-server.ts", answers);
  return { ...child, url: `http://127.0.0.1:${String(child.report)}` };
}
