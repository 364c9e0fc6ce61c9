export const itemPath = ({ path }: { path: string }, id: string) => `${path}/${id}`;

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
