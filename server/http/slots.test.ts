import fc from "fast-check";
import { expect, test } from "vitest";
import { createSlots, type Place } from "./slots.ts";

const states = (places: (Place | null | undefined)[]) => places.map((place) => place?.state);

test("a client waits for its own requests, and then takes turns with the others", () => {
  const { enter, leave } = createSlots({ total: 2, perClient: 1, queue: 9 });
  const started: string[] = [];
  const [a1, a2, a3, b1, c1] = ["a", "a", "a", "b", "c"].map((client, index) => {
    const place = enter(client, false) as Place;
    place.onStart = () => started.push(`${client}${index}`);
    return place;
  }) as [Place, Place, Place, Place, Place];
  expect(states([a1, a2, a3, b1, c1])).toEqual([
    "running",
    "waiting for its client",
    "waiting for its client",
    "running",
    "waiting for others",
  ]);
  leave(a1);
  // The second request of `a` is in line after `c`.
  expect(states([a1, a2, a3, c1])).toEqual([
    "left",
    "waiting for others",
    "waiting for its client",
    "running",
  ]);
  leave(b1);
  leave(c1);
  leave(a2);
  expect(started).toEqual(["c4", "a1", "a2"]);
});

test("requests of slow clients start after all others, in the order of their arrival", () => {
  const { enter, leave } = createSlots({ total: 1, perClient: 5, queue: 9 });
  const running = enter("x", false) as Place;
  const started: string[] = [];
  for (const [name, isSlow] of [
    ["slow 1", true],
    ["quick 1", false],
    ["slow 2", true],
    ["quick 2", false],
  ] as const) {
    const place = enter(name, isSlow) as Place;
    place.onStart = () => {
      started.push(name);
      leave(place);
    };
  }
  leave(running);
  expect(started).toEqual(["quick 1", "quick 2", "slow 1", "slow 2"]);
});

test("a request is turned away if its client's queue or the shared one is full, and only then", () => {
  const { enter, leave } = createSlots({ total: 1, perClient: 1, queue: 2 });
  const first = enter("a", false) as Place;
  const own = [enter("a", false), enter("a", false)] as Place[];
  expect(enter("a", false)).toBeUndefined();
  const others = [enter("b", false), enter("c", false)];
  expect(states(others)).toEqual(["waiting for others", "waiting for others"]);
  expect(enter("d", false)).toBeNull();
  expect(enter("a", false)).toBeUndefined();
  leave(own[0] as Place);
  expect(enter("a", false)).toBeNull();
  leave(others[0] as Place);
  expect(enter("d", false)?.state).toBe("waiting for others");
  leave(first);
  expect(states(others)).toEqual(["left", "running"]);
});

test("leaving twice gives nothing back twice", () => {
  const { enter, leave } = createSlots({ total: 1, perClient: 1, queue: 9 });
  const first = enter("a", false) as Place;
  leave(first);
  leave(first);
  expect(states([enter("a", false), enter("b", false)])).toEqual(["running", "waiting for others"]);
});

test("in every order of arrivals and departures, the limits hold, and a request waits only for a slot", () => {
  const steps = fc.array(
    fc.record({ client: fc.constantFrom("a", "b", "c"), isSlow: fc.boolean(), leave: fc.nat() }),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 2 }),
      (all, total, perClient) => {
        const { enter, leave } = createSlots({ total, perClient, queue: 4 });
        let places: Place[] = [];
        for (const step of all) {
          const entered = enter(step.client, step.isSlow);
          if (entered) places.push(entered);
          const leaving = step.leave % 2 === 0 ? places[step.leave % (places.length || 1)] : undefined;
          if (leaving) leave(leaving);
          places = places.filter(({ state }) => state !== "left");
          const inState = (state: Place["state"]) => places.filter((place) => place.state === state);
          const running = inState("running").length;
          expect(running).toBeLessThanOrEqual(total);
          if (inState("waiting for others").length > 0) expect(running).toBe(total);
          for (const client of ["a", "b", "c"]) {
            const own = places.filter((place) => place.client === client);
            const waiting = own.filter(({ state }) => state === "waiting for its client").length;
            expect(own.length - waiting).toBeLessThanOrEqual(perClient);
            if (waiting > 0) expect(own.length - waiting).toBe(perClient);
          }
        }
        for (const place of places) leave(place);
        const next = Array.from({ length: total }, (_, index) => enter(`new ${index}`, false));
        expect(new Set(states(next))).toEqual(new Set(["running"]));
      },
    ),
  );
});
