import * as v from "valibot";
import type { Body } from "../auth/auth-env.ts";
import { invalid } from "../auth/auth-error.ts";
import type { AdminContext } from "./admin-context.ts";
import { closeLink, createLink, listLinks } from "./invitation-links.ts";

const NEW_LINK = v.object({ people: v.number(), days: v.number(), domains: v.optional(v.string(), "") });

export const readLinks = async ({ site }: AdminContext) => ({ rows: await listLinks(site) });

export function createLinkFrom(context: AdminContext, body: Body) {
  const { success, output, issues } = v.safeParse(NEW_LINK, body);
  if (!success) throw invalid(issues[0].message);
  return createLink(context, output);
}

export function closeLinkWith(context: AdminContext, id: string) {
  if (!v.is(v.pipe(v.string(), v.uuid()), id)) throw invalid("The link's ID is not a UUID");
  return closeLink(context, id);
}
