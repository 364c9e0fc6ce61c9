/** How an operation ended. Failures are values, so that each caller decides what they change. */
export type Result<Value> =
  | { is: "done"; value: Value }
  | { is: "failed"; error: unknown }
  /** A newer operation has replaced this one, or its subject no longer exists. The result must change nothing. */
  | { is: "superseded" };

/** A second start during the first one runs nothing, because a result will arrive anyway, or replaces the first one. */
export type Repetition = "join" | "replace";

interface Operation {
  /** The part of the page that starts the operation, such as one Delete button. */
  owner: object;
  /** The things that the operation changes, such as `articles/7`. Operations with a common subject run in order. */
  subjects: readonly string[];
  repetition?: Repetition;
}

interface Pending extends Operation {
  /** Ends the operation's turn. */
  end(): void;
  ended: Promise<void>;
  controller: AbortController;
}

/** Runs operations, and knows which are pending. It has no relation to React. */
export class Operations {
  #pending: Pending[] = [];
  readonly #listeners = new Set<() => void>();

  /**
   * Runs `work` once the pending operations with a common subject have ended. Never rejects: a failed operation doesn't
   * stop those that wait for it. `work` gets a signal that is aborted when the operation is superseded.
   */
  async run<Value>(
    { owner, subjects, repetition = "join" }: Operation,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Result<Value>> {
    if (repetition === "replace") this.cancel(owner);
    else if (this.isPending(owner, subjects)) return { is: "superseded" };
    const before = this.#pending.filter((pending) =>
      pending.subjects.some((each) => subjects.includes(each)),
    );
    const controller = new AbortController();
    let resolve = () => {};
    const ended = new Promise<void>((resolveEnded) => {
      resolve = resolveEnded;
    });
    const end = () => {
      this.#pending = this.#pending.filter((each) => each !== pending);
      resolve();
      this.#notify();
    };
    const pending: Pending = { owner, subjects, controller, ended, end };
    this.#pending = [...this.#pending, pending];
    this.#notify();

    const { signal } = controller;
    if (before.length > 0) await Promise.all(before.map(({ ended }) => ended));
    if (signal.aborted) return { is: "superseded" };
    const result = await resultOf(() => work(signal));
    if (signal.aborted) return { is: "superseded" };
    end();
    return result;
  }

  /** Ends the pending operations of an owner. What they have sent to the server may still happen. */
  cancel(owner: object): void {
    for (const { owner: other, controller, end } of this.#pending) {
      if (other !== owner) continue;
      controller.abort();
      end();
    }
  }

  /** Whether an operation of the owner that has all these subjects is pending. */
  isPending(owner: object, subjects: readonly string[]): boolean {
    return this.#pending.some(
      (pending) => pending.owner === owner && subjects.every((each) => pending.subjects.includes(each)),
    );
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function resultOf<Value>(work: () => Promise<Value>): Promise<Result<Value>> {
  try {
    return { is: "done", value: await work() };
  } catch (error) {
    return { is: "failed", error };
  }
}

/** The operations of this browser tab. Pages share them, so that leaving a page doesn't end their order. */
export const operations = new Operations();
