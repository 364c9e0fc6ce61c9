import { caddy, haproxy, nginx } from "../support/proxies.ts";
import type { Drill, Figure } from "./figure.ts";
import { failures, replaceInTurn } from "./rolling.ts";

const ROUNDS = 6;

export const restart: Drill = {
  name: "restart",
  title: "restarts behind a real proxy fail no request",
  async run(): Promise<Figure[]> {
    if (caddy.version === undefined)
      return [{ goal: "restarts behind Caddy", measured: "not run: Caddy is not installed", ok: true }];
    const programs = Array.from({ length: ROUNDS + 1 }, () => undefined);
    const single = await replaceInTurn(1, programs);
    const writes = single.filter(({ kind }) => kind === "write");
    const isRefused = (status: number) => status === 503 || status === 429;
    const refused = writes.filter(({ outcome }) => isRefused(outcome.status)).length;
    const longest = Math.max(...single.map(({ outcome }) => outcome.milliseconds));
    const figures = [
      failures(
        `${ROUNDS} restarts of the only process: no read fails, and the longest waits ${Math.round(longest)} ms`,
        single.filter(({ kind }) => kind === "read"),
      ),
      // While Caddy 2.6 has no process to send a request to, it repeats only reads. Later versions also let writes
      // wait, and then send all of them at the same moment, which is too many for one client.
      failures(
        `${ROUNDS} restarts of the only process: writes succeed, or ${refused} are rejected with 503 or 429`,
        writes,
        isRefused,
      ),
    ];
    for (const proxy of [caddy, haproxy, nginx].filter(({ version }) => version !== undefined)) {
      const requests = await replaceInTurn(2, programs, proxy);
      const goal = `${2 * ROUNDS} restarts of two processes, ${proxy.name} ${proxy.version}`;
      if (proxy !== nginx) {
        figures.push(failures(`${goal}: no request fails`, requests));
        continue;
      }
      // nginx has no health checks, and repeats only reads after a response with 503.
      const ofKind = (wanted: string) => requests.filter(({ kind }) => kind === wanted);
      const isUnavailable = (status: number) => status === 503;
      const rejected = ofKind("write").filter(({ outcome }) => isUnavailable(outcome.status)).length;
      figures.push(
        failures(`${goal}: no read fails`, ofKind("read")),
        failures(
          `${goal}: writes succeed, or ${rejected} are rejected with 503`,
          ofKind("write"),
          isUnavailable,
        ),
      );
    }
    return figures;
  },
};
