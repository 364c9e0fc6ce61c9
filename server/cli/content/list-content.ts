import { storedName } from "../../../common/data/author.ts";
import {
  allContent,
  allProfiles,
  CONTENT_TYPES,
  findListed,
  PICTURES,
  PROFILES,
} from "../../admin/content.ts";
import { resolveMember } from "../../admin/members.ts";
import { UsageError } from "../../config/operator-error.ts";
import { printRows } from "../printable.ts";
import { type Invocation, readLimit } from "../run-command.ts";

/** The values that `--type` accepts. */
export const TYPES = [...CONTENT_TYPES, PROFILES];

const EMPTY = "No items were found.";

export async function listContent({ site, texts, ...invocation }: Invocation): Promise<void> {
  const { author, search, type, after } = texts;
  if (type && !TYPES.includes(type)) {
    throw new UsageError(`"list": --type must be one of ${TYPES.join(", ")}, not "${type}"`);
  }
  const limit = readLimit(texts["limit"]);
  const authorId = author && (await resolveMember(site, author)).id;
  if (type === PROFILES) {
    const profiles = await allProfiles(site, search, authorId);
    return printRows(invocation, undefined, profiles.slice(0, limit), EMPTY, (profile) => {
      const { id, created_at, bio, current_title, company, linkedin_url } = profile;
      const texts = [current_title, company, linkedin_url, bio].filter(Boolean).join(" · ");
      return [id, PROFILES, created_at.slice(0, 10), "-", storedName(profile), texts.slice(0, 200)];
    });
  }
  const cursor = after ? await findListed(site, after) : undefined;
  const items = await allContent(site, { search, type, authorId, cursor }, limit);
  printRows(
    invocation,
    undefined,
    items,
    EMPTY,
    ({ id, type, created_at, published, author, title, bytes }) => {
      const state = published === null ? "-" : published ? "published" : "unpublished";
      const shown = type === PICTURES ? `${Math.ceil((bytes ?? 0) / 1_000)} kB` : title;
      return [id, type, created_at.slice(0, 10), state, author, shown];
    },
  );
}
