import { MAX_CHARACTERS } from "../data/limits.ts";
import type { ItemFields, Row } from "../data/schema.ts";
import type { KindDefinition } from "./kind-definition.ts";

export type Article = Row<"articles">;
export type ArticleFields = ItemFields<Article>;

export const articles: KindDefinition<ArticleFields, Article, "articles"> = {
  table: "articles",
  ownerColumn: "author_id",
  isPublishable: true,
  hasUpdatedAt: true,
  path: "/articles",
  name: "Articles",
  itemName: "Article",
  description: "What Python, SQL and cloud professionals have learned, written down in full.",
  texts: {
    searchPlaceholder: "Search articles by title or content...",
    createHeading: "Create New Article",
    editHeading: "Edit Article",
    createButton: "Create Article",
    updateButton: "Update Article",
    noResults: "No articles found matching your search criteria.",
    latest: "Latest Articles",
    noItems: "No articles published yet.",
  },
  columns: {
    title: { type: "text", noun: "title", isRequired: true, maxLength: MAX_CHARACTERS.name },
    content: { type: "markdown", noun: "text", isRequired: true, maxLength: MAX_CHARACTERS.document },
    published: { type: "flag", noun: "state" },
  },
  noteColumn: "created_at",
  excerptColumn: "content",
  file: {
    column: "content",
    mediaType: "text/markdown",
    extensions: ["md"],
    extension: () => "md",
    hasFrontMatter: true,
  },
  feed: "/feed.xml",
  hasSocialCard: true,
  resume: {
    section: "publications",
    entry: ({ title }, { url, createdOn, siteTitle }) => ({
      name: title,
      publisher: siteTitle,
      releaseDate: createdOn,
      url,
    }),
  },
  jsonLd: ({ title }, { image }) => ({ "@type": "TechArticle", headline: title, image }),
  formHeight: "min-h-212 lg:min-h-154",
  isDirty: ({ title, content }) => title !== "" || content !== "",
};
