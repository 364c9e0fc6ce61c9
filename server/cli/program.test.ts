import { expect, test, vi } from "vitest";
import { createAdminClient } from "../admin/admin-client.ts";
import { OperatorError } from "../config/operator-error.ts";
import { errorLine } from "./program.ts";

test("a command that the database rejects prints no message of PostgreSQL's own", async () => {
  const rejection = { code: "42703", message: "column talks.titel does not exist", details: "", hint: "" };
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(rejection, { status: 400 }));
  const site = { url: "http://site.test", serviceKey: "", ifUnreachable: "", ifKeyRejected: "", fetch };
  const { data } = createAdminClient(site);
  const error = await data
    .from("talks")
    .select("titel")
    .throwOnError()
    .then(null, (reason) => reason);
  const line = errorLine("content", error);
  expect(line).toMatch(/^npm run content failed: the site rejected a request \(42703\): check that /);
  expect(line).not.toContain("titel");
});

test.each([OperatorError, Error])("an error message is one line, and cannot control the terminal", (Kind) => {
  const line = errorLine("restore", new Kind("The backup\n  (copy \u001b[2J\u202e) cannot be loaded."));
  expect(line).toContain("The backup (copy  [2J ) cannot be loaded.");
});
