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

/** A site with two lists of operators, one before a change and one after it. */
function siteWithOperators(before: object[], after: object[]) {
  const lists = [before, [], after, []];
  const asked: unknown[] = [];
  const rpc = (_name: string, { wanted_state }: { wanted_state: string }) => {
    asked.push(wanted_state);
    return { throwOnError: async () => ({ data: lists.shift() ?? [] }) };
  };
  const context = { site: { data: { rpc } }, settings: {} } as unknown as Pick<
    AdminContext,
    "site" | "settings"
  >;
  return { context, asked };
}

const other = { ...LAST, id: crypto.randomUUID() };

test("an operator can be removed while another one is active", async () => {
  const undo = vi.fn();
  const { context, asked } = siteWithOperators([LAST, other], [other]);
  expect(await keepAnOperator(context, member, async () => "changed", undo)).toBe("changed");
  expect(new Set(asked)).toEqual(new Set(["operator"]));
  expect(undo).not.toHaveBeenCalled();
});

test("a suspended or invited operator doesn't count as another one", async () => {
  for (const state of ["suspended", "invited"]) {
    const change = vi.fn();
    const { context } = siteWithOperators([LAST, { ...other, state }], []);
    await expect(keepAnOperator(context, member, change, vi.fn())).rejects.toThrow("is the last operator");
    expect(change).not.toHaveBeenCalled();
  }
});

test("a change that leaves the site without an operator is undone", async () => {
  const calls: string[] = [];
  const note = (name: string) => async () => void calls.push(name);
  const { context } = siteWithOperators([LAST, other], [LAST]);
  await expect(keepAnOperator(context, member, note("change"), note("undo"))).rejects.toThrow(
    "is the last operator",
  );
  expect(calls).toEqual(["change", "undo"]);
});

test("members who aren't operators, or aren't active, can always be changed", async () => {
  for (const changed of [{ is_operator: false }, { state: "suspended" }]) {
    const { context, asked } = siteWithOperators([], []);
    const someone = { ...LAST, ...changed } as unknown as ListedMember;
    expect(await keepAnOperator(context, someone, async () => "changed", vi.fn())).toBe("changed");
    expect(asked).toEqual([]);
  }
});
