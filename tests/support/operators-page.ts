import type { Locator, Page } from "@playwright/test";
import type { Member } from "./members.ts";
import { expect, type Site } from "./site.ts";

export async function makeOperator(site: Site): Promise<Member> {
  const operator = await site.addMember({ full_name: "Olga Operator" });
  await site.admin.auth.admin.updateUserById(operator.id, { app_metadata: { role: "operator" } });
  return operator;
}

export const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** A row of a region's list or table. */
export const rowOf = (page: Page, name: string, text: string): Locator =>
  name === "Members"
    ? region(page, name).locator("tbody").getByRole("row").filter({ hasText: text })
    : region(page, name)
        .getByRole("list", { name, exact: true })
        .getByRole("listitem")
        .filter({ hasText: text });

/** Presses a button of a member's row, or chooses an item of its menu. */
export async function actOn(row: Locator, action: string): Promise<void> {
  const button = row.getByRole("button", { name: action, exact: true });
  await expect(row).toBeVisible();
  if (await button.isVisible()) return button.click();
  await row.getByRole("button", { name: /^Actions for / }).click();
  await row.getByRole("menuitem", { name: action, exact: true }).click();
}
