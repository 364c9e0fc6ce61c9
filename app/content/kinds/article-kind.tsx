import { itemPath, LISTS } from "../../data/addresses.ts";
import type { Article } from "../../data/schema.ts";
import { Checkbox, TextArea, TextField } from "../../ui/field.tsx";
import { FormText } from "../../ui/form-text.tsx";
import { LocalDate } from "../../ui/local-date.tsx";
import { ServerHtml } from "../../ui/server-html.tsx";
import { CardFrame } from "../card-frame.tsx";
import { PreviewPane } from "../editor/preview-pane.tsx";
import type { ContentKind } from "../kind.ts";

type Values = Pick<Article, "title" | "content" | "published">;

export const articles: ContentKind<Article, Values> = {
  table: "articles",
  about: {
    ...LISTS.articles,
    description: "What Python, SQL and cloud professionals have learned, written down in full.",
  },
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
    job: ({ id, content }, isPage) => ({
      kind: isPage ? "article" : "markdown",
      text: content,
      path: itemPath("articles", id),
    }),
  },
  isStamped: true,
  emptyValues: { title: "", content: "", published: false },
  isDirty: ({ title, content }) => title !== "" || content !== "",

  Fields: ({ values, field }) => (
    <>
      <TextField label="Title" required {...field("title")} />
      <div className="grid gap-4 lg:grid-cols-2 lg:gap-x-8">
        <TextArea label="Content (Markdown)" required rows={10} {...field("content")} />
        <PreviewPane text={values.content} />
      </div>
      <div>
        <Checkbox label="Publish article" {...field("published")} aria-describedby="publish-help" />
        <p id="publish-help" className="text-sm text-muted">
          <FormText>
            A published article can appear on the home page. This list shows all articles, published or not.
          </FormText>
        </p>
      </div>
    </>
  ),

  Card: ({ card: { item, html }, actions, isOwn, isPage }) => (
    <CardFrame
      table="articles"
      item={item}
      isTitleLinked
      isPage={isPage}
      actions={actions}
      by="By"
      note={
        <>
          {" | "}
          <LocalDate time={item.created_at} />
          {isOwn && !item.published && <span className="block">Not published: not on the home page</span>}
        </>
      }
    >
      <ServerHtml html={html} className="prose" />
    </CardFrame>
  ),
};
