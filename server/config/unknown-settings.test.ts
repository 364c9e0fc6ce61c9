import { expect, test } from "vitest";
import { unknownSettings } from "./unknown-settings.ts";

test.each([
  ["SITE_NAMEE", "SITE_NAME"],
  ["SITEURL", "SITE_URL"],
  ["TRUST_PROXI", "TRUST_PROXY"],
  ["METRIC_TOKEN", "METRICS_TOKEN"],
  ["site_url", "SITE_URL"],
  ["DATBASE_URL", "DATABASE_URL"],
])("the name %s in the environment is reported as a misspelling of %s", (name, meant) => {
  expect(unknownSettings({ [name]: "x" }, {})).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
});

test("other programs' names in the environment aren't reported", () => {
  const names =
    "PATH HOME HOSTNAME PORTS NODE_ENV PGHOST SSH_HOST SUPABASE_ACCESS_TOKEN XDG_DATA_DIRS SITE_HOST";
  expect(unknownSettings(Object.fromEntries(names.split(" ").map((name) => [name, "x"])), {})).toEqual([]);
});

test("every unknown name in the file .env is reported, except those that compose.yaml reads", () => {
  const file = { SITE_NAME: "x", SITE_TITLE: "x", SMTP_PASS: "x", SITE_HOST: "x", POSTGRES_PASSWORD: "x" };
  expect(unknownSettings(file, file)).toEqual([
    "SITE_TITLE in .env is not a setting.",
    "SMTP_PASS in .env is not a setting.",
  ]);
});
