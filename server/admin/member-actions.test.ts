import { expect, onTestFinished, test, vi } from "vitest";
import { readSettings } from "../config/settings.ts";
import { createAdminClient } from "./admin-client.ts";
import { addMember } from "./member-actions.ts";

test.each([
  ["short", "at least 6 characters"],
  ["x".repeat(73), "longer than 72 bytes"],
])(
  "adding a member with the password %j fails without a request to the project",
  async (password, problem) => {
    const fetch = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => fetch.mockRestore());
    const site = createAdminClient({
      url: "http://project.test",
      serviceKey: "key",
      ifUnreachable: "",
      ifKeyRejected: "",
    });
    const context = {
      site,
      settings: readSettings({}),
      sendEmail: undefined,
      record: async () => undefined,
    };
    await expect(addMember(context, { email: "ada@example.com" }, password)).rejects.toThrow(problem);
    expect(fetch).not.toHaveBeenCalled();
  },
);
