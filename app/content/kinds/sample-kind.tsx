import { LISTS } from "../../data/addresses.ts";
import type { CodeSample } from "../../data/schema.ts";
import { LANGUAGES } from "../../data/vocabulary.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyCode } from "../../ui/copy-code.ts";
import { CodeArea, Select, TextArea, TextField } from "../../ui/field.tsx";
import { FormText } from "../../ui/form-text.tsx";
import { ServerHtml } from "../../ui/server-html.tsx";
import { CardFrame } from "../card-frame.tsx";
import type { ContentKind } from "../kind.ts";

type Values = Record<"title" | "description" | "language" | "code_content", string>;

export const sampleCode: ContentKind<CodeSample, Values> = {
  table: "code_samples",
  about: {
    ...LISTS.code_samples,
    description:
      "Working code in Python, SQL, JavaScript, TypeScript, Bash and YAML, ready to be taken along.",
  },
  texts: {
    searchPlaceholder: "Search code samples by title, description, or content...",
    createHeading: "Add New Code Sample",
    editHeading: "Edit Code Sample",
    createButton: "Add Sample",
    updateButton: "Update Sample",
    empty: "No code samples found matching your search criteria.",
  },
  searched: ["title", "description", "code_content"],
  rendered: {
    field: "code_content",
    job: ({ code_content, language }) => ({ kind: "code", text: code_content, language }),
  },
  isStamped: true,
  emptyValues: { title: "", description: "", language: "", code_content: "" },
  isDirty: ({ title, code_content }) => title !== "" || code_content !== "",

  Fields: ({ field }) => (
    <>
      <TextField label="Title" required {...field("title")} />
      <TextArea label="Description" rows={3} {...field("description")} />
      <Select label="Language" required {...field("language")}>
        <option value="">
          <FormText>Select a language</FormText>
        </option>
        {Object.entries(LANGUAGES).map(([language, label]) => (
          <option key={language} value={language}>
            <FormText>{label}</FormText>
          </option>
        ))}
      </Select>
      <CodeArea label="Code" required rows={10} {...field("code_content")} />
    </>
  ),

  Card: ({ card: { item, html }, actions, isPage }) => (
    <CardFrame table="code_samples" item={item} isPage={isPage} actions={actions}>
      {item.description && (
        <p dir="auto" className="mb-4 max-w-measure whitespace-pre-line text-muted">
          {item.description}
        </p>
      )}
      <div className="code-frame">
        <p className="code-language">
          <Chip>{LANGUAGES[item.language] ?? item.language}</Chip>
        </p>
        <pre dir="ltr" className="code-block">
          <ServerHtml as="code" html={html} />
        </pre>
        <CopyCode />
      </div>
    </CardFrame>
  ),
};
