import { isUuid } from "../../../app/data/addresses.ts";
import { UsageError } from "../command-error.ts";
import { parseCommand } from "../parse-command.ts";
import { CONTENT_TYPES, type ContentType, isContentType } from "./content-kinds.ts";

export interface ListRequest {
  command: "list";
  author: string | undefined;
  types: ContentType[];
  search: string | undefined;
  json: boolean;
}

export type ContentRequest = ListRequest | { command: "show" | "unpublish" | "remove"; id: string };

export const USAGE = `npm run content -- <command>

  list [--author E] [--type T] [--search TEXT] [--json]   id, type, date, state, author and title, newest first;
                                                          E is an e-mail or a username,
                                                          T one of ${CONTENT_TYPES.join(", ")}
  show ID                                                 everything about one item
  unpublish ID                                            take an article off the home page, feeds and people's pages
  remove ID                                               delete an item

Each change is told as one line of JSON on standard error.
`;

const FORMS = {
  list: { options: { author: "string", type: "string", search: "string", json: "boolean" } },
  show: { options: {}, hasOperand: true },
  unpublish: { options: {}, hasOperand: true },
  remove: { options: {}, hasOperand: true },
} as const;

export function readArguments(words: string[]): ContentRequest {
  const { command, values, operand = "" } = parseCommand("content", FORMS, words);
  if (command !== "list") {
    if (!isUuid(operand)) throw misused(`"${command}": "${operand}" is no ID`);
    return { command, id: operand.toLowerCase() };
  }
  const text = (name: string) => (values[name] as string | undefined)?.trim() || undefined;
  const type = text("type");
  if (type !== undefined && !isContentType(type)) {
    throw misused(`"list": --type is one of ${CONTENT_TYPES.join(", ")}, not "${type}"`);
  }
  return {
    command,
    author: text("author"),
    types: type === undefined ? CONTENT_TYPES : [type],
    search: text("search"),
    json: values["json"] === true,
  };
}

function misused(reason: string): UsageError {
  return new UsageError(`${reason}. See npm run content -- --help`);
}
