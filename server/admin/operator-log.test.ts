import { userInfo } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { machineUser } from "./operator-log.ts";

afterEach(() => vi.unstubAllEnvs());

test("a command's user is the person who used sudo, and otherwise the user who runs it", () => {
  vi.stubEnv("SUDO_USER", "kim");
  expect(machineUser()).toBe("kim");
  for (const absent of ["", undefined]) {
    vi.stubEnv("SUDO_USER", absent);
    expect(machineUser()).toBe(userInfo().username);
  }
});
