/** Makes random values from a seed, so that a failure can be reproduced. */
export interface Random {
  /** Returns an integer of at least 0 and less than `limit`. */
  number(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Returns up to `longest` characters below U+0100. */
  text(longest: number): string;
}

/** Uses the mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const number = (limit: number) => Math.floor(next() * limit);
  return {
    number,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[number(choices.length)];
      if (choice === undefined) throw new Error("There is nothing to choose from");
      return choice;
    },
    text: (longest) =>
      Array.from({ length: number(longest + 1) }, () => String.fromCharCode(number(256))).join(""),
  };
}
