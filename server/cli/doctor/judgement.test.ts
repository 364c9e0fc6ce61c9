import { describe, expect, it } from "vitest";
import { checkClock, compareClocks } from "./clock.ts";
import { judgeSpace } from "./data-directory.ts";

describe("the clock", () => {
  const now = new Date("2026-05-01T12:00:00Z");
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

  it.each([0, 30, -30])("agrees when the other one is %i seconds away", (seconds) => {
    expect(compareClocks("the server", at(seconds), now).isOk).toBe(true);
  });

  it.each([
    [31, "31 seconds behind that of the server"],
    [-3_600, "3600 seconds ahead of that of the server"],
  ])("does not when that says %i seconds more", (seconds, words) => {
    const { isOk, text } = compareClocks("the server", at(seconds), now);
    expect(isOk).toBe(false);
    expect(text).toContain(words);
  });

  it("cannot be right before the release was written", async () => {
    expect(await checkClock(new Date(0))).toMatchObject({ isOk: false, topic: "clock" });
    expect(await checkClock(new Date())).toMatchObject({ isOk: true });
  });
});

describe("the disk", () => {
  it.each([
    [10e9, true, "10000 MB are free"],
    [200e6, false, "writes will be refused soon"],
    [1e6, false, "writes are refused"],
  ])("with %d bytes", (free, isOk, words) => {
    const finding = judgeSpace(free);
    expect(finding.isOk).toBe(isOk);
    expect(finding.text).toContain(words);
  });
});
