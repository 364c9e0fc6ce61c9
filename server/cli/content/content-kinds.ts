/** The types of the command line are the routes of the site. */
export const CONTENT_KINDS = {
  articles: { table: "articles", owner: "author_id", searched: ["title", "content"], hasPublished: true },
  "useful-links": {
    table: "useful_links",
    owner: "profile_id",
    searched: ["title", "url", "description", "category"],
    hasPublished: false,
  },
  "sample-code": {
    table: "code_samples",
    owner: "profile_id",
    searched: ["title", "description", "code_content"],
    hasPublished: false,
  },
} as const;

export type ContentType = keyof typeof CONTENT_KINDS;

export const CONTENT_TYPES = Object.keys(CONTENT_KINDS) as ContentType[];

export function isContentType(word: string): word is ContentType {
  return Object.hasOwn(CONTENT_KINDS, word);
}
