import { setImmediate } from "node:timers/promises";
import bcrypt from "bcrypt";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkNewPassword, createPasswords, isBcryptHash } from "./passwords.ts";

afterEach(() => vi.restoreAllMocks());

describe("passwords", () => {
  it("match their own hash and no other", async () => {
    const passwords = createPasswords(4);
    const hash = await passwords.hash("a secret");
    expect(isBcryptHash(hash)).toBe(true);
    expect(await passwords.matches("a secret", hash)).toBe(true);
    expect(await passwords.matches("A secret", hash)).toBe(false);
    for (const none of [null, undefined, "", "a secret", "$2b$31$tooexpensive"]) {
      expect(await passwords.matches("a secret", none)).toBe(false);
    }
  });

  it("cost a comparison even where there is no account", async () => {
    const compare = vi.spyOn(bcrypt, "compare");
    const passwords = createPasswords(4);
    await passwords.matches("a secret", undefined);
    expect(compare).toHaveBeenCalledTimes(1);
    expect(bcrypt.getRounds(String(compare.mock.calls[0]?.[1]))).toBe(4);
  });

  it("are not hashed when they are longer than bcrypt reads", async () => {
    const compare = vi.spyOn(bcrypt, "compare");
    expect(await createPasswords(4).matches("x".repeat(73), undefined)).toBe(false);
    expect(compare).not.toHaveBeenCalled();
  });

  it("are refused with a time to wait when too many wait already", async () => {
    const passwords = createPasswords(4);
    const hashes = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.hash("a secret")));
    const refused = hashes.filter((each) => each.status === "rejected").map(({ reason }) => reason);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(40);
    for (const error of refused) {
      expect(error).toMatchObject({
        status: 429,
        code: "over_request_rate_limit",
        extras: { retryAfter: 2 },
      });
    }
  });

  it("are compared at most four at a time, and off the event loop", async () => {
    let running = 0;
    let most = 0;
    const { compare } = bcrypt;
    vi.spyOn(bcrypt, "compare").mockImplementation(async (data: string | Buffer, hash: string) => {
      running += 1;
      most = Math.max(most, running);
      const equal = await compare(data, hash);
      running -= 1;
      return equal;
    });
    const passwords = createPasswords();
    let finished = 0;
    const all = Array.from({ length: 12 }, () =>
      passwords.matches("wrong", null).then(() => (finished += 1)),
    );
    let turns = 0;
    while (finished < all.length) {
      await setImmediate();
      turns += 1;
    }
    expect(most).toBeGreaterThanOrEqual(1);
    expect(most).toBeLessThanOrEqual(4);
    expect(turns).toBeGreaterThan(500);
  });

  it.each(["", "short", "ab€de"])("%j is too weak to set", (password) => {
    expect(() => checkNewPassword(password)).toThrowError(
      expect.objectContaining({ status: 422, code: "weak_password", extras: { weakPassword: ["length"] } }),
    );
  });

  it("of 6 characters to 72 bytes can be set, longer ones cannot", () => {
    for (const password of ["sixsix", "x".repeat(72), "ü".repeat(36)]) {
      expect(() => checkNewPassword(password)).not.toThrow();
    }
    for (const password of ["x".repeat(73), "ü".repeat(37), `${"x".repeat(70)}€`]) {
      expect(() => checkNewPassword(password)).toThrowError(
        expect.objectContaining({ status: 400, code: "validation_failed" }),
      );
    }
  });
});
