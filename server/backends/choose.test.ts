import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readSettings } from "../config/settings.ts";
import { chooseBackend } from "./choose.ts";

const PROJECT = { SUPABASE_URL: "https://x.supabase.co", SUPABASE_PUBLISHABLE_KEY: "key" };

test("the data is in DATA_DIR, unless a database or a Supabase project is set", () => {
  const locationWith = (environment: Record<string, string>) =>
    chooseBackend(readSettings(environment)).location;
  expect(locationWith({})).toBe(`DATA_DIR ${path.resolve("data")}`);
  expect(locationWith({ DATABASE_URL: "postgres://localhost/x" })).toBe("DATABASE_URL");
  expect(locationWith(PROJECT)).toBe("SUPABASE_URL");
});

test("variables for other PostgreSQL servers don't reach the one in DATA_DIR", () => {
  vi.stubEnv("PGHOST", "elsewhere.example");
  onTestFinished(() => void vi.unstubAllEnvs());
  chooseBackend(readSettings({}));
  expect(process.env["PGHOST"]).toBeUndefined();
});
