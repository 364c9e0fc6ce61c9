const MAX_WORDS_LENGTH = 60;

/** The last digits of an item's id. No two items of a kind have the same ones: a unique index sees to it. */
const DIGITS = /(?:^|-)([0-9a-f]{12})$/i;

/**
 * Returns the path of an item's page: the words of its title for readers, and the last digits of its id, which alone decide
 * what the page shows. Characters outside ASCII are percent-encoded; browsers show them in readable form.
 */
export function itemPath({ path }: { path: string }, { id, title }: { id: string; title: string }): string {
  const words = titleWords(title);
  return `${path}/${words === "" ? id : `${encodeURIComponent(words)}-${id.slice(-12)}`}`;
}

/** Returns the digits that end the last part of an item's path, in lower case, or null if it doesn't end in digits. */
export function itemDigits(segment: string): string | null {
  return DIGITS.exec(segment)?.[1]?.toLowerCase() ?? null;
}

/** Returns a title's letters and digits as lower-case words, joined by hyphens. Only Latin letters lose their accents. */
function titleWords(title: string): string {
  const plain = title
    .toLowerCase()
    .normalize("NFD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC");
  const words = plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const fitting: string[] = [];
  let length = 0;
  for (const word of words) {
    length += Array.from(word).length + (fitting.length > 0 ? 1 : 0);
    if (length > MAX_WORDS_LENGTH) break;
    fitting.push(word);
  }
  // The first word alone can be too long, for example in scripts without spaces.
  if (fitting.length === 0)
    return Array.from(words[0] ?? "")
      .slice(0, MAX_WORDS_LENGTH)
      .join("");
  return fitting.join("-");
}

/** `slug` is the person's username, or their id if the username isn't a valid slug or belongs to another person. */
export const personPath = (slug: string) => `/profile/${slug}`;

/** The list of one person's items. Unlike a search for their name, it doesn't include people with similar names. */
export const listByPath = ({ path }: { path: string }, slug: string) => `${path}?author=@${slug}`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SAFE_SLUG = /^[A-Za-z0-9_.-]+$/;
/**
 * Usernames that don't work in a URL. Browsers remove `.` and `..` from paths, and a name with a file extension would
 * look like another format of a page, e.g. `/profile/ada.json`.
 */
const RESERVED = /^\.\.?$|\.(data|xml|json|vcf|md)$/i;
const MAX_SLUG_LENGTH = 200;

export const isUuid = (text: string) => UUID.test(text);

/** Whether a username is valid as a URL slug (contract). Two people may have the same one: see `findSlugs`. */
export function isValidSlug(username: string | null | undefined): username is string {
  return (
    !!username &&
    username.length <= MAX_SLUG_LENGTH &&
    SAFE_SLUG.test(username) &&
    !RESERVED.test(username) &&
    !isUuid(username)
  );
}
