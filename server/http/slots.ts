import type { ConcurrencyLimit } from "../config/limits.ts";

/** One request's place: it waits for its client's other requests, then for those of all clients, and then runs. */
export interface Place {
  state: "waiting for its client" | "waiting for others" | "running" | "left";
  readonly client: string;
  readonly isSlow: boolean;
  /** Called when the request gets its slot, unless `enter` has already given it one. */
  onStart?: () => void;
}

type Limits = Pick<ConcurrencyLimit, "total" | "perClient" | "queue">;

/**
 * Hands out slots, in total and per client. Clients take turns: at most `perClient` requests of each are in the shared
 * queue, where those of slow clients are last. Own code instead of p-queue, which needs a promise, a timer and an abort
 * signal per request even if a slot is free.
 */
export function createSlots({ total, perClient, queue }: Limits) {
  const clients = new Map<string, { inTurn: number; waiting: Place[] }>();
  const shared: Place[] = [];
  let running = 0;

  function clientOf(name: string) {
    const existing = clients.get(name);
    if (existing) return existing;
    const client = { inTurn: 0, waiting: [] };
    clients.set(name, client);
    return client;
  }

  function addToShared(place: Place): void {
    clientOf(place.client).inTurn++;
    place.state = "waiting for others";
    const firstSlow = place.isSlow ? -1 : shared.findIndex(({ isSlow }) => isSlow);
    shared.splice(firstSlow < 0 ? shared.length : firstSlow, 0, place);
  }

  function startNext(): void {
    while (running < total) {
      const place = shared.shift();
      if (place === undefined) return;
      running++;
      place.state = "running";
      place.onStart?.();
    }
  }

  return {
    /** Returns undefined if the client's queue is full, and null if the shared queue is. */
    enter(name: string, isSlow: boolean): Place | undefined | null {
      const client = clientOf(name);
      if (client.waiting.length >= queue) return undefined;
      if (shared.length >= queue) {
        if (client.inTurn === 0) clients.delete(name);
        return null;
      }
      const place: Place = { state: "waiting for its client", client: name, isSlow };
      if (client.inTurn >= perClient) client.waiting.push(place);
      else {
        addToShared(place);
        startNext();
      }
      return place;
    },

    /** Gives up a slot, or a place in a queue. A second call does nothing. */
    leave(place: Place): void {
      const { state, client: name } = place;
      if (state === "left") return;
      place.state = "left";
      const client = clientOf(name);
      if (state === "waiting for its client") {
        client.waiting.splice(client.waiting.indexOf(place), 1);
        return;
      }
      if (state === "running") running--;
      else shared.splice(shared.indexOf(place), 1);
      client.inTurn--;
      const next = client.waiting.shift();
      if (next) addToShared(next);
      else if (client.inTurn === 0) clients.delete(name);
      startNext();
    },
  };
}
