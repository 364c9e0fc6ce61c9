import type { ActionResult } from "../../../common/data/operators.ts";
import type { AdminContext } from "../../admin/admin-context.ts";
import { publishItem, removeItem, unpublishItem } from "../../admin/content-actions.ts";
import { clearProfile } from "../../admin/member-actions.ts";
import { resolveMember } from "../../admin/members.ts";
import { commandLine } from "../../config/command-line.ts";
import { printableLine } from "../printable.ts";
import { type Commands, flag, type Invocation, text } from "../run-command.ts";
import { listContent, TYPES } from "./list-content.ts";
import { showItem } from "./show-item.ts";

export const USAGE = `${commandLine("content", "<command>")}

  list [--author E] [--type T] [--search TEXT] [--limit N] [--after ID] [--json]
                          list items with id, type, date, state, author and title, newest first. E is an email address
                          or a username, and T is one of ${TYPES.join(", ")}.
                          --after continues after an item
  show ID                 show an item with all its fields. Use TYPE/ID if several items have the same id.
                          An item's address, as copied from a page, works too
  unpublish ID            remove an article from the home page, feeds and people's pages
  publish ID              show it there again
  remove ID               delete an item with its earlier versions, or a picture
  clear PROFILE           empty a profile's texts, links and portrait. PROFILE is an ID, a username or an email address

Each change logs one line of JSON on standard error.
`;

const list = { author: text, type: text, search: text, limit: text, after: text, json: flag };

export const COMMANDS: Commands = {
  list: { options: list, run: listContent },
  show: { needs: "item", run: showItem },
  unpublish: { needs: "item", run: forItem(unpublishItem) },
  publish: { needs: "item", run: forItem(publishItem) },
  remove: { needs: "item or picture", run: forItem(removeItem) },
  clear: {
    needs: "profile",
    run: async ({ context, id, print }) => {
      const { text } = await clearProfile(context, await resolveMember(context.site, id));
      print(text);
    },
  },
};

/** Returns a command that runs an action on the item with the ID, and prints what happened. */
function forItem(act: (context: AdminContext, id: string) => Promise<ActionResult>) {
  return async ({ context, id, print }: Invocation): Promise<void> => {
    const { text } = await act(context, id);
    print(printableLine(text));
  };
}
