import { CardFrame } from "../../app/content/card-frame.tsx";
import type { ContentKind, FieldsProps } from "../../app/content/content-kind.ts";
import { MarkdownArea } from "../../app/ui/editing-areas.tsx";
import { Checkbox, Select, TextField } from "../../app/ui/field.tsx";
import { Day } from "../../app/ui/local-date.tsx";
import { ServerHtml } from "../../app/ui/server-html.tsx";
import { emptyValues } from "../../common/data/form-values.ts";
import { MAX_CHARACTERS } from "../../common/data/limits.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import type { Migration } from "../../server/postgres/migrations.ts";

interface TalkFields {
  title: string;
  event: string;
  slides: string | null;
  held_on: string | null;
  level: string | null;
  seats: number | null;
  topics: string[];
  is_recorded: boolean;
  notes: string | null;
}

export interface Talk extends ContentRow, TalkFields {
  profile_id: string;
  updated_at: string;
}

/** A kind of content for tests, with a column of every type except code, most of them optional. */
export const talks: KindDefinition<TalkFields, Talk, "test_talks"> = {
  table: "test_talks",
  ownerColumn: "profile_id",
  isPublishable: false,
  hasUpdatedAt: true,
  path: "/test-talks",
  name: "Talks",
  itemName: "Talk",
  description: "Talks to listen to.",
  texts: {
    searchPlaceholder: "Search talks...",
    createHeading: "Add New Talk",
    editHeading: "Edit Talk",
    createButton: "Add Talk",
    updateButton: "Update Talk",
    noResults: "No talks found.",
    latest: "Latest Talks",
    noItems: "No talks yet.",
  },
  columns: {
    title: { type: "text", noun: "title", isRequired: true, maxLength: MAX_CHARACTERS.name },
    event: { type: "text", noun: "event", isRequired: true, maxLength: MAX_CHARACTERS.name },
    slides: { type: "address", noun: "slides" },
    held_on: { type: "date", noun: "date" },
    level: { type: "choice", noun: "level", options: { beginner: "Beginner", expert: "Expert" } },
    seats: { type: "number", noun: "seats", min: 1, max: 500 },
    topics: { type: "list", noun: "topics", maxLength: MAX_CHARACTERS.name },
    is_recorded: { type: "flag", noun: "recording" },
    notes: { type: "markdown", noun: "notes", maxLength: MAX_CHARACTERS.document },
  },
  noteColumn: "event",
  summaryColumn: "event",
  file: {
    column: "notes",
    mediaType: "text/markdown",
    extensions: ["md"],
    extension: () => "md",
    hasFrontMatter: false,
  },
  feed: "/test-talks/feed.xml",
  hasSocialCard: false,
  resume: {
    section: "projects",
    entry: ({ title, held_on }, { url }) => ({ name: title, startDate: held_on ?? undefined, url }),
  },
  jsonLd: ({ title, event }) => ({ "@type": "PresentationDigitalDocument", name: title, keywords: event }),
  formHeight: "min-h-121",
  isDirty: ({ title, event }) => title !== "" || event !== "",
};

function Fields({ field }: FieldsProps<FormValues<TalkFields>>) {
  return (
    <>
      <TextField label="Title" {...field("title")} />
      <TextField label="Event" {...field("event")} />
      <TextField label="Slides" {...field("slides")} />
      <TextField label="Date" {...field("held_on")} />
      <Select label="Level" placeholder="Any level" {...field("level")} />
      <TextField label="Seats" {...field("seats")} />
      <TextField label="Topics" {...field("topics")} />
      <Checkbox label="Recorded" {...field("is_recorded")} />
      <MarkdownArea label="Notes" {...field("notes")} />
    </>
  );
}

export const talksWithComponents: ContentKind = {
  ...(talks as unknown as KindDefinition),
  emptyValues: emptyValues(talks),
  Card({ card: { item, html }, actions, isPage }) {
    const { held_on } = item as unknown as Talk;
    return (
      <CardFrame
        kind={talksWithComponents}
        item={item}
        isPage={isPage}
        actions={actions}
        details={held_on && <Day day={held_on} />}
      >
        <ServerHtml html={html} />
      </CardFrame>
    );
  },
  Fields: Fields as unknown as ContentKind["Fields"],
};

/** Creates the table as CONTRIBUTING describes. */
export const TALKS_MIGRATION: Migration = {
  version: "99991231000000",
  name: "test_talks",
  sql: `
    create table public.test_talks (
      id uuid primary key default gen_random_uuid(),
      profile_id uuid not null references public.profiles (id) on delete cascade,
      title public.short_text not null check (private.has_text(title)),
      event public.short_text not null check (private.has_text(event)),
      slides public.web_address,
      held_on date,
      level text check (level in ('beginner', 'expert')),
      seats integer check (seats between 1 and 500),
      topics text[] not null default '{}',
      is_recorded boolean not null default false,
      notes public.long_text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    select private.add_content_kind('test_talks', 'profile_id', '{title, event, notes}');`,
};
