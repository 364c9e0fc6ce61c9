import { expect, test } from "vitest";
import { Day, toLocalDate, toUtcDate } from "./local-date.tsx";

const options = { month: "short", day: "numeric", year: "numeric" } as const;

test("toLocalDate and toUtcDate format dates as in American English, in the reader's time zone and in UTC", () => {
  for (const time of [
    "2026-11-05T23:30:00Z",
    "1999-12-31T00:00:00Z",
    "0099-02-03T12:00:00Z",
    "9999-12-31T23:59:59Z",
  ]) {
    const date = new Date(time);
    expect(toLocalDate(date)).toBe(date.toLocaleDateString("en-US", options));
    expect(toUtcDate(date)).toBe(date.toLocaleDateString("en-US", { ...options, timeZone: "UTC" }));
  }
});

test.each([
  ["2026-11-05", "Nov 5, 2026"],
  ["0099-02-03", "Feb 3, 99"],
])("the day %s is shown as %s in every time zone, and no script changes it", (day, text) => {
  expect(Day({ day })?.props).toMatchObject({ dateTime: day, children: text });
});

test.each(["infinity", "0044-03-15 BC", "2026-02-30"])("no date is shown for %s", (day) => {
  expect(Day({ day })).toBeNull();
});
