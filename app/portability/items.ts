import type { Article, CodeSample, Profile, Skill, UsefulLink } from "../data/schema.ts";

export interface Fields {
  articles: Pick<Article, "title" | "content" | "published">;
  useful_links: Pick<UsefulLink, "title" | "url" | "description" | "category">;
  code_samples: Pick<CodeSample, "title" | "description" | "code_content" | "language">;
}

export type ItemTable = keyof Fields;

export interface FileItem<Table extends ItemTable = ItemTable> {
  table: Table;
  /** Where it stands: the file's path, below its archive's root. */
  source: string;
  /** A uuid in lower case; without one, `path` tells the item from others. */
  id: string | null;
  path: string;
  fields: Fields[Table];
  createdAt: string | null;
  updatedAt: string | null;
  /** What the member should know before they import it. */
  notes: string[];
}

export type FileSkill = Pick<Skill, "category" | "name" | "proficiency" | "years_experience"> & {
  id: string | null;
  createdAt: string | null;
};

export type FileProfile = Omit<Profile, "id" | "updated_at">;

export interface LeftOut {
  source: string;
  /** Continues a sentence that begins with the source. */
  reason: string;
}

export interface FileContent {
  items: FileItem[];
  profile: FileProfile | null;
  skills: FileSkill[] | null;
  leftOut: LeftOut[];
}
