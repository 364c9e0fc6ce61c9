export const CONTENT_KINDS = {
  articles: { table: "articles", searched: ["title", "content"] },
  "useful-links": { table: "useful_links", searched: ["title", "url", "description", "category"] },
  "sample-code": { table: "code_samples", searched: ["title", "description", "code_content"] },
} as const;

export type ContentType = keyof typeof CONTENT_KINDS;

export const CONTENT_TYPES = Object.keys(CONTENT_KINDS) as ContentType[];
