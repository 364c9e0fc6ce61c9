import { afterEach, expect, test, vi } from "vitest";
import { ignoreLibpqEnvironment } from "./libpq-environment.ts";

afterEach(() => vi.unstubAllEnvs());

test("libpq's variables are removed from the environment, and similar ones stay", () => {
  const libpq = ["PGHOST", "PGSSLMODE", "PGOPTIONS"];
  const others = ["PG_RESTORE", "MYPGHOST", "PGHOST_OF_STAGING", "PORTAGE"];
  for (const name of [...libpq, ...others]) vi.stubEnv(name, "set");
  ignoreLibpqEnvironment();
  expect(libpq.filter((name) => name in process.env)).toEqual([]);
  expect(others.filter((name) => process.env[name] !== "set")).toEqual([]);
});
