import type { Database } from "./database-types.ts";

type PublicTables = Database["public"]["Tables"];

export type TableName = keyof PublicTables;

/** A row of a table as reads return it. */
export type Row<Table extends TableName> = PublicTables[Table]["Row"];

/** A new row of a table. The columns with a default are optional. */
export type NewRow<Table extends TableName> = PublicTables[Table]["Insert"];

export type Profile = Row<"profiles">;
export type Skill = Row<"skills">;

/** The columns that every kind of content has. A kind's definition adds its own. */
export interface ContentRow {
  id: string;
  title: string;
  created_at: string;
}

/** The columns that members fill in: all except the id, the owner and the timestamps. */
export type ItemFields<Item> = Omit<Item, "id" | "author_id" | "profile_id" | "created_at" | "updated_at">;

/** A row of any table, with all its columns. */
export type StoredRow = { id: string } & Record<string, unknown>;

export type Author = Pick<Profile, "username" | "full_name">;

/** An author with the slug of their page: their username or their id. */
export type LinkedAuthor = Author & { slug: string };

export type Authored<Row, By extends Author = Author> = Row & { profiles: By };
