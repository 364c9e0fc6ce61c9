import { MAX_CHARACTERS } from "../data/limits.ts";
import type { ItemFields, Row } from "../data/schema.ts";
import type { KindDefinition } from "./kind-definition.ts";

export type CodeSample = Row<"code_samples">;
export type SampleFields = ItemFields<CodeSample>;

export const LANGUAGES: Record<string, string> = {
  python: "Python",
  sql: "SQL",
  javascript: "JavaScript",
  typescript: "TypeScript",
  bash: "Bash",
  yaml: "YAML",
};

/** The characters that Tab inserts in languages that are not indented by two spaces. */
export const INDENTS: Record<string, string> = { python: "    ", sql: "    " };

const EXTENSIONS: Record<string, string> = {
  python: "py",
  sql: "sql",
  javascript: "js",
  typescript: "ts",
  bash: "sh",
  yaml: "yaml",
};

export const sampleCode: KindDefinition<SampleFields, CodeSample, "code_samples"> = {
  table: "code_samples",
  ownerColumn: "profile_id",
  isPublishable: false,
  hasUpdatedAt: true,
  path: "/sample-code",
  name: "Sample Code",
  itemName: "Code sample",
  description: "Working code in Python, SQL, JavaScript, TypeScript, Bash and YAML, ready to copy.",
  texts: {
    searchPlaceholder: "Search code samples by title, description, or content...",
    createHeading: "Add New Code Sample",
    editHeading: "Edit Code Sample",
    createButton: "Add Sample",
    updateButton: "Update Sample",
    noResults: "No code samples found matching your search criteria.",
    latest: "Latest Code Samples",
    noItems: "No code samples yet.",
  },
  columns: {
    title: { type: "text", noun: "title", isRequired: true, maxLength: MAX_CHARACTERS.name },
    description: { type: "text", noun: "description", maxLength: MAX_CHARACTERS.description },
    language: { type: "choice", noun: "language", isRequired: true, options: LANGUAGES },
    code_content: {
      type: "code",
      noun: "code",
      isRequired: true,
      maxLength: MAX_CHARACTERS.document,
      languageColumn: "language",
    },
  },
  noteColumn: "language",
  summaryColumn: "description",
  file: {
    column: "code_content",
    mediaType: "text/plain",
    extensions: Object.values(EXTENSIONS),
    extension: ({ language }) => EXTENSIONS[language] ?? "txt",
    hasFrontMatter: false,
  },
  hasSocialCard: false,
  resume: {
    section: "projects",
    entry: ({ title, description, language }, { url, createdOn }) => ({
      name: title,
      description: description || undefined,
      keywords: [LANGUAGES[language] ?? language],
      startDate: createdOn,
      type: "code sample",
      url,
    }),
  },
  jsonLd: ({ title, language }) => ({
    "@type": "SoftwareSourceCode",
    name: title,
    codeSampleType: "code snippet",
    programmingLanguage: LANGUAGES[language] ?? language,
  }),
  formHeight: "min-h-186 md:min-h-181",
  isDirty: ({ title, code_content }) => title !== "" || code_content !== "",
};
