import { type Commands, flag, text } from "../run-command.ts";
import { listContent, TYPES } from "./list-content.ts";
import { removeItem, showItem, unpublish } from "./moderate-item.ts";

export const USAGE = `npm run content -- <command>

  list [--author E] [--type T] [--search TEXT] [--json]   list items with id, type, date, state, author and title,
                                                          newest first. E is an email address or a username,
                                                          and T is one of ${TYPES.join(", ")}
  show ID                                                 show an item with all its fields
  unpublish ID                                            remove an article from the home page, feeds and people's pages
  remove ID                                               delete an item with its earlier versions, or a picture

Each change logs one line of JSON on standard error.
`;

export const COMMANDS: Commands = {
  list: { options: { author: text, type: text, search: text, json: flag }, run: listContent },
  show: { hasId: true, run: showItem },
  unpublish: { hasId: true, run: unpublish },
  remove: { hasId: true, isPictureId: true, run: removeItem },
};
