import { createAdminClient } from "../admin-client.ts";
import { CommandError } from "../command-error.ts";
import type { Program } from "../program.ts";
import type { ContentRequest } from "./arguments.ts";
import { listContent } from "./list-content.ts";
import { removeItem, showItem, unpublish } from "./moderate-item.ts";

const ITEM_COMMANDS = { show: showItem, unpublish, remove: removeItem };

export async function runCommand(
  request: ContentRequest,
  { backend, settings, print }: Program,
): Promise<void> {
  const site = createAdminClient(await backend.administration());
  try {
    if (request.command === "list") return await listContent(site, request, print);
    await ITEM_COMMANDS[request.command](site, request.id, { siteUrl: settings.siteUrl, print });
  } catch (error) {
    throw error instanceof CommandError ? error : site.explain(error);
  }
}
