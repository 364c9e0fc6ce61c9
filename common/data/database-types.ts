export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  public: {
    Tables: {
      articles: {
        Row: {
          author_id: string
          content: string
          created_at: string
          id: string
          published: boolean
          title: string
          updated_at: string
        }
        Insert: {
          author_id: string
          content: string
          created_at?: string
          id?: string
          published?: boolean
          title: string
          updated_at?: string
        }
        Update: {
          author_id?: string
          content?: string
          created_at?: string
          id?: string
          published?: boolean
          title?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "articles_author_id_fkey"
            columns: ["author_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      code_samples: {
        Row: {
          code_content: string
          created_at: string
          description: string | null
          id: string
          language: string
          profile_id: string
          title: string
          updated_at: string
        }
        Insert: {
          code_content: string
          created_at?: string
          description?: string | null
          id?: string
          language: string
          profile_id: string
          title: string
          updated_at?: string
        }
        Update: {
          code_content?: string
          created_at?: string
          description?: string | null
          id?: string
          language?: string
          profile_id?: string
          title?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "code_samples_profile_id_fkey"
            columns: ["profile_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      operator_log: {
        Row: {
          action: string
          created_at: string
          details: NonNullable<Json>
          id: string
          operator: string
          operator_id: string | null
          target: string | null
        }
        Insert: {
          action: string
          created_at?: string
          details?: NonNullable<Json>
          id?: string
          operator: string
          operator_id?: string | null
          target?: string | null
        }
        Update: {
          action?: string
          created_at?: string
          details?: NonNullable<Json>
          id?: string
          operator?: string
          operator_id?: string | null
          target?: string | null
        }
        Relationships: []
      }
      profiles: {
        Row: {
          avatar_url: string | null
          bio: string | null
          company: string | null
          created_at: string
          current_title: string | null
          featured: boolean
          featured_skills: string[]
          full_name: string | null
          id: string
          joined_at: string | null
          left_at: string | null
          linkedin_url: string | null
          unlisted_until: string | null
          updated_at: string
          username: string | null
          username_since: string
          years_experience: number | null
        }
        Insert: {
          avatar_url?: string | null
          bio?: string | null
          company?: string | null
          created_at?: string
          current_title?: string | null
          featured?: boolean
          featured_skills?: string[]
          full_name?: string | null
          id?: string
          joined_at?: string | null
          left_at?: string | null
          linkedin_url?: string | null
          unlisted_until?: string | null
          updated_at?: string
          username?: string | null
          username_since?: string
          years_experience?: number | null
        }
        Update: {
          avatar_url?: string | null
          bio?: string | null
          company?: string | null
          created_at?: string
          current_title?: string | null
          featured?: boolean
          featured_skills?: string[]
          full_name?: string | null
          id?: string
          joined_at?: string | null
          left_at?: string | null
          linkedin_url?: string | null
          unlisted_until?: string | null
          updated_at?: string
          username?: string | null
          username_since?: string
          years_experience?: number | null
        }
        Relationships: []
      }
      skills: {
        Row: {
          category: string
          created_at: string
          id: string
          name: string
          proficiency: number
          profile_id: string
          years_experience: number
        }
        Insert: {
          category?: string
          created_at?: string
          id?: string
          name: string
          proficiency?: number
          profile_id: string
          years_experience?: number
        }
        Update: {
          category?: string
          created_at?: string
          id?: string
          name?: string
          proficiency?: number
          profile_id?: string
          years_experience?: number
        }
        Relationships: [
          {
            foreignKeyName: "skills_profile_id_fkey"
            columns: ["profile_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      useful_links: {
        Row: {
          category: string
          created_at: string
          description: string | null
          id: string
          profile_id: string
          title: string
          url: string
        }
        Insert: {
          category: string
          created_at?: string
          description?: string | null
          id?: string
          profile_id: string
          title: string
          url: string
        }
        Update: {
          category?: string
          created_at?: string
          description?: string | null
          id?: string
          profile_id?: string
          title?: string
          url?: string
        }
        Relationships: [
          {
            foreignKeyName: "useful_links_profile_id_fkey"
            columns: ["profile_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      versions: {
        Row: {
          id: string
          is_deletion: boolean
          item: NonNullable<Json>
          item_id: string
          item_table: string
          profile_id: string
          replaced_at: string
          size: number
          title: string
        }
        Insert: {
          id?: string
          is_deletion: boolean
          item: NonNullable<Json>
          item_id: string
          item_table: string
          profile_id: string
          replaced_at?: string
          size: number
          title: string
        }
        Update: {
          id?: string
          is_deletion?: boolean
          item?: NonNullable<Json>
          item_id?: string
          item_table?: string
          profile_id?: string
          replaced_at?: string
          size?: number
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "versions_profile_id_fkey"
            columns: ["profile_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      add_report: {
        Args: {
          client: string
          email: string
          max_per_hour: number
          max_per_subject: number
          reason: string
          subject_id: string
          subject_table: string
        }
        Returns: Json[]
      }
      claim_report_email: { Args: Record<PropertyKey, never>; Returns: Json[] }
      close_invitation_link: { Args: { link_id: string }; Returns: Json[] }
      create_invitation_link: {
        Args: {
          code_digest: string
          days: number
          domains?: string[]
          people: number
        }
        Returns: Json[]
      }
      database_state: { Args: Record<PropertyKey, never>; Returns: Json[] }
      end_reports: {
        Args: { subject_id: string; subject_table: string }
        Returns: Json[]
      }
      fill_search: { Args: { batch?: number }; Returns: number }
      find_invitation_link: { Args: { code_digest: string }; Returns: Json[] }
      find_item: {
        Args: { content_table: string; digits: string }
        Returns: Json[]
      }
      list_invitation_links: {
        Args: Record<PropertyKey, never>
        Returns: Json[]
      }
      list_members: {
        Args: {
          cursor_id?: string
          cursor_time?: string
          page_size?: number
          search_text?: string
          wanted_email?: string
          wanted_state?: string
        }
        Returns: Json[]
      }
      list_pictures: {
        Args: {
          cursor_path?: string
          cursor_time?: string
          page_size?: number
          search_text?: string
          wanted_owner?: string
        }
        Returns: Json[]
      }
      list_reports: {
        Args: {
          cursor_count?: number
          cursor_id?: string
          cursor_time?: string
          page_size?: number
        }
        Returns: Json[]
      }
      release_report_email: { Args: { claimed_at: string }; Returns: Json[] }
      remove_old_reports: { Args: Record<PropertyKey, never>; Returns: Json[] }
      request_invitation: {
        Args: {
          address: string
          by_project?: boolean
          client: string
          code_digest: string
          token_digest?: string
        }
        Returns: Json[]
      }
      return_place: {
        Args: { address: string; link_id: string }
        Returns: Json[]
      }
      search_content: {
        Args: {
          backwards?: boolean
          content_table: string
          cursor_id?: string
          cursor_time?: string
          oldest_first?: boolean
          page_size?: number
          search_author?: string
          search_text?: string
          text_limit?: number
        }
        Returns: Json[]
      }
      search_everything: {
        Args: {
          page_cursor?: string
          page_size?: number
          search_kind?: string
          search_text?: string
        }
        Returns: Json[]
      }
      search_items: {
        Args: {
          backwards?: boolean
          content_table: string
          cursor_id?: string
          cursor_time?: string
          oldest_first?: boolean
          page_size?: number
          search_author?: string
          search_text?: string
          text_limit?: number
        }
        Returns: Json[]
      }
      search_people: {
        Args: {
          cursor_id?: string
          cursor_key?: string
          page_size?: number
          search_category?: string
          search_text?: string
          sort_by_name?: boolean
        }
        Returns: Json[]
      }
      sort_members: {
        Args: {
          cursor_bytes?: number
          cursor_id?: string
          cursor_time?: string
          is_ascending?: boolean
          page_size?: number
          search_text?: string
          sorted_by?: string
          wanted_email?: string
          wanted_state?: string
        }
        Returns: Json[]
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
