import { itemPath } from "../../data/addresses.ts";
import type { Article } from "../../data/schema.ts";
import { Checkbox, TextArea, TextField } from "../../ui/field.tsx";
import { LocalDate } from "../../ui/local-date.tsx";
import { ServerHtml } from "../../ui/server-html.tsx";
import { AuthorLink } from "../author-link.tsx";
import { CardFrame } from "../card-frame.tsx";
import { PreviewPane } from "../editor/preview-pane.tsx";
import { type ContentKind, htmlKeyOf } from "../kind.ts";

type Draft = Pick<Article, "title" | "content" | "published">;

/** Specification §2, Articles page. */
export const articles: ContentKind<Article, Draft> = {
  table: "articles",
  about: {
    path: "/articles",
    name: "Articles",
    description: "What Python, SQL and cloud professionals have learned, written down in full.",
  },
  owner: "author_id",
  texts: {
    searchPlaceholder: "Search articles by title or content...",
    createHeading: "Create New Article",
    editHeading: "Edit Article",
    createButton: "Create Article",
    updateButton: "Update Article",
    empty: "No articles found matching your search criteria.",
  },
  searched: ["title", "content"],
  rendered: {
    field: "content",
    job: ({ content }, isPage) => ({ kind: isPage ? "article" : "markdown", text: content }),
  },
  isStamped: true,
  formSpace:
    "in-data-session:min-h-[49.125rem] sm:in-data-session:min-h-[50.125rem] lg:in-data-session:min-h-[37.5rem]",
  newDraft: { title: "", content: "", published: false },
  toDraft: ({ title, content, published }) => ({ title, content, published }),
  isDirty: ({ title, content }) => title !== "" || content !== "",
  toRow: (draft) => draft,

  Fields: ({ draft, onChange }) => (
    <>
      <TextField
        label="Title"
        required
        value={draft.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <TextArea
          label="Content (Markdown)"
          required
          rows={10}
          value={draft.content}
          onChange={(event) => onChange({ content: event.target.value })}
        />
        <PreviewPane text={draft.content} />
      </div>
      <Checkbox
        label="Publish article"
        checked={draft.published}
        onChange={(event) => onChange({ published: event.target.checked })}
      />
    </>
  ),

  Card: ({ card: { item, html }, actions, isPage }) => (
    <CardFrame
      id={item.id}
      title={item.title}
      path={itemPath("articles", item.id)}
      isTitleLinked
      isPage={isPage}
      actions={actions}
      byline={
        <>
          By <AuthorLink author={item.profiles} id={item.author_id} /> | <LocalDate time={item.created_at} />
        </>
      }
    >
      <ServerHtml htmlKey={htmlKeyOf(item.id, isPage)} html={html} className="prose mt-5" />
    </CardFrame>
  ),
};
