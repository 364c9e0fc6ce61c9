import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test.each([
  [0, "0.0 MB"],
  [1, "1 kB"],
  [999_000, "999 kB"],
  [1_460_000, "1.5 MB"],
  [999_900_000, "999.9 MB"],
  [1_000_000_000, "1.0 GB"],
  [66_905_800_000, "66.9 GB"],
])("%i bytes are shown as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
