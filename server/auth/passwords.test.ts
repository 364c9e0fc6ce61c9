import bcrypt from "bcrypt";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LIMITS } from "../config/limits.ts";
import { createPasswords } from "./passwords.ts";

afterEach(() => vi.restoreAllMocks());

describe("hashing of members' passwords", () => {
  test("a new hash has Supabase's format and cost unless a test chooses another cost", async () => {
    expect(await createPasswords().hash("a secret")).toMatch(/^\$2b\$10\$/);
  });

  test("a password matches in the composed and the decomposed Unicode form of the same letters", async () => {
    const passwords = createPasswords(4);
    const [composed, decomposed] = ["caf\u00e9 noir", "cafe\u0301 noir"];
    const hashes = [await passwords.hash(composed), await passwords.hash(decomposed)];
    // Hashes from before November 2026 must still match: passwords were then hashed without Unicode normalization.
    hashes.push(await bcrypt.hash(decomposed, 4));
    for (const hash of hashes) {
      expect(await passwords.matches(composed, hash)).toBe(true);
      expect(await passwords.matches(decomposed, hash)).toBe(true);
      expect(await passwords.matches("cafe noir", hash)).toBe(false);
    }
  });

  test("a password matches only its own hash", async () => {
    const passwords = createPasswords(4);
    const hash = await passwords.hash("a secret");
    expect(await passwords.matches("a secret", hash)).toBe(true);
    expect(await passwords.matches("A secret", hash)).toBe(false);
    for (const none of [null, undefined, "", "a secret"]) {
      expect(await passwords.matches("a secret", none)).toBe(false);
    }
  });

  test("checking a password for an unknown account also takes one bcrypt comparison", async () => {
    const compare = vi.spyOn(bcrypt, "compare");
    const passwords = createPasswords(4);
    await passwords.matches("a secret", undefined);
    expect(compare).toHaveBeenCalledTimes(1);
    expect(bcrypt.getRounds(String(compare.mock.calls[0]?.[1]))).toBe(4);
  });

  test("a password that is checked after others lets all waiting passwords pass first", async () => {
    const running: (() => void)[] = [];
    const compare = vi
      .spyOn(bcrypt, "compare")
      .mockImplementation(() => new Promise<boolean>((resolve) => void running.push(() => resolve(true))));
    const passwords = createPasswords(4);
    const guesses = Array.from({ length: 30 }, (_, index) =>
      passwords.matches(`guess ${index}`, "a hash", { afterOthers: true }),
    );
    const other = passwords.matches("another password", "a hash");
    await expect.poll(() => compare.mock.calls.length).toBe(LIMITS.passwordHashes);
    // As soon as one comparison ends, the other password is next.
    running.shift()?.();
    await expect.poll(() => compare.mock.calls.at(-1)?.[0]).toBe("another password");
    const all = Promise.all([...guesses, other]);
    await expect
      .poll(() => {
        for (const finish of running.splice(0)) finish();
        return compare.mock.calls.length + running.length;
      })
      .toBe(31);
    await all;
  });

  test("a password of more than 72 bytes never matches and is not compared", async () => {
    const compare = vi.spyOn(bcrypt, "compare");
    expect(await createPasswords(4).matches("x".repeat(73), undefined)).toBe(false);
    expect(compare).not.toHaveBeenCalled();
  });

  test.each(["", "short", "ab€de"])(
    "%j is rejected as a new password because it is too short",
    async (password) => {
      await expect(createPasswords(4).hash(password)).rejects.toMatchObject({
        status: 422,
        code: "weak_password",
      });
    },
  );

  test("a new password can have from 6 characters to 72 bytes", async () => {
    const { hash } = createPasswords(4);
    for (const password of ["sixsix", "x".repeat(72), "ü".repeat(36)]) {
      expect(await hash(password)).toMatch(/^\$2b\$04\$/);
    }
    for (const password of ["x".repeat(73), "ü".repeat(37), `${"x".repeat(70)}€`]) {
      await expect(hash(password)).rejects.toMatchObject({ status: 400, code: "validation_failed" });
    }
  });
});
