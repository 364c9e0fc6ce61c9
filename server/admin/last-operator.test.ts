import { expect, test, vi } from "vitest";
import type { ListedMember } from "../../common/data/operators.ts";
import type { AdminContext } from "./admin-context.ts";
import { keepAnOperator } from "./last-operator.ts";

const LAST = { id: crypto.randomUUID(), email: "olga@example.com", state: "active", is_operator: true };

/** A site with one operator, where the provider's groups decide about the role if there are any. */
function siteWith(operatorGroups: string[] | undefined) {
  const rpc = (_name: string, { cursor_id }: { cursor_id?: string }) => ({
    throwOnError: async () => ({ data: cursor_id === undefined ? [LAST] : [] }),
  });
  return {
    site: { data: { rpc } },
    settings: { singleSignOn: { operatorGroups } },
  } as unknown as Pick<AdminContext, "site" | "settings">;
}

const member = LAST as unknown as ListedMember;

test("the last operator keeps the role while commands decide about it", async () => {
  const change = vi.fn(async () => "changed");
  await expect(keepAnOperator(siteWith(undefined), member, change, vi.fn())).rejects.toThrow(
    "olga@example.com is the last operator of this site",
  );
  expect(change).not.toHaveBeenCalled();
});

test("the last operator can be suspended or removed while a group at the provider decides about the role", async () => {
  const undo = vi.fn();
  expect(await keepAnOperator(siteWith(["editors"]), member, async () => "changed", undo)).toBe("changed");
  expect(undo).not.toHaveBeenCalled();
});
