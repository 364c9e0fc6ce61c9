import bcrypt from "bcrypt";
import { afterEach, describe, expect, test, vi } from "vitest";
import { checkNewPassword, createPasswords } from "./passwords.ts";

afterEach(() => vi.restoreAllMocks());

describe("passwords", () => {
  test("match their own hash and no other", async () => {
    const passwords = createPasswords(4);
    const hash = await passwords.hash("a secret");
    expect(await passwords.matches("a secret", hash)).toBe(true);
    expect(await passwords.matches("A secret", hash)).toBe(false);
    for (const none of [null, undefined, "", "a secret"]) {
      expect(await passwords.matches("a secret", none)).toBe(false);
    }
  });

  test("cost a comparison even where there is no account", async () => {
    const compare = vi.spyOn(bcrypt, "compare");
    const passwords = createPasswords(4);
    await passwords.matches("a secret", undefined);
    expect(compare).toHaveBeenCalledTimes(1);
    expect(bcrypt.getRounds(String(compare.mock.calls[0]?.[1]))).toBe(4);
  });

  test("are not hashed when they are longer than bcrypt reads", async () => {
    const compare = vi.spyOn(bcrypt, "compare");
    expect(await createPasswords(4).matches("x".repeat(73), undefined)).toBe(false);
    expect(compare).not.toHaveBeenCalled();
  });

  test.each(["", "short", "ab€de"])("%j is too weak to set", (password) => {
    expect(() => checkNewPassword(password)).toThrowError(
      expect.objectContaining({
        status: 422,
        code: "weak_password",
        extras: { weakPasswordReasons: ["length"] },
      }),
    );
  });

  test("of 6 characters to 72 bytes can be set, longer ones cannot", () => {
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
