export interface Profile {
  id: string;
  username: string | null;
  full_name: string | null;
  bio: string | null;
  avatar_url: string | null;
  current_title: string | null;
  company: string | null;
  years_experience: number | null;
  featured: boolean;
  linkedin_url: string | null;
  featured_skills: string[] | null;
  updated_at: string | null;
}

export type SkillCategory = "python" | "sql" | "aws" | "tools";

export interface Skill {
  id: string;
  profile_id: string;
  category: SkillCategory;
  name: string;
  proficiency: number;
  years_experience: number;
}

export interface Article {
  id: string;
  author_id: string;
  title: string;
  content: string;
  published: boolean;
  created_at: string;
  updated_at: string | null;
}

export interface UsefulLink {
  id: string;
  profile_id: string;
  title: string;
  url: string;
  description: string | null;
  category: string;
  created_at: string;
}

export interface CodeSample {
  id: string;
  profile_id: string;
  title: string;
  description: string | null;
  code_content: string;
  language: string;
  created_at: string;
  updated_at: string | null;
}

/** The names that are joined to every shared item. Null when the profile is gone. */
export type Author = (Pick<Profile, "username" | "full_name"> & { segment?: string }) | null;

export type Authored<Row> = Row & { profiles: Author };

interface Table<Row, Foreign extends string = never> {
  Row: { [Column in keyof Row]: Row[Column] };
  Insert: Partial<{ [Column in keyof Row]: Row[Column] }>;
  Update: Partial<{ [Column in keyof Row]: Row[Column] }>;
  Relationships: [Foreign] extends [never]
    ? []
    : [
        {
          foreignKeyName: string;
          columns: [Foreign];
          isOneToOne: false;
          referencedRelation: "profiles";
          referencedColumns: ["id"];
        },
      ];
}

/** The schema in the form that postgrest-js takes its types from. */
export interface Database {
  public: {
    Tables: {
      profiles: Table<Profile>;
      skills: Table<Skill, "profile_id">;
      articles: Table<Article, "author_id">;
      useful_links: Table<UsefulLink, "profile_id">;
      code_samples: Table<CodeSample, "profile_id">;
    };
    Views: Record<string, never>;
    Functions: {
      search_content: {
        Args: {
          content_table: string;
          search_text?: string;
          search_author?: string;
          oldest_first?: boolean;
          cursor_time?: string;
          cursor_id?: string;
          backwards?: boolean;
          page_size?: number;
        };
        Returns: Authored<Article | UsefulLink | CodeSample>[];
      };
    };
  };
}
