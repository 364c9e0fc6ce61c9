import { LISTS } from "../../data/addresses.ts";
import type { UsefulLink } from "../../data/schema.ts";
import { hostOf, safeAddress } from "../../ui/address.ts";
import { Chip } from "../../ui/chip.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { OpenIcon } from "../../ui/icons.tsx";
import { CardFrame } from "../card-frame.tsx";
import type { ContentKind } from "../kind.ts";

type Values = Record<"title" | "url" | "description" | "category", string>;

export const usefulLinks: ContentKind<UsefulLink, Values> = {
  table: "useful_links",
  about: {
    ...LISTS.useful_links,
    description: "Documentation, tools and reading that professionals keep coming back to.",
  },
  texts: {
    searchPlaceholder: "Search links by title, description, or category...",
    createHeading: "Add New Link",
    editHeading: "Edit Link",
    createButton: "Add Link",
    updateButton: "Update Link",
    empty: "No links found matching your search criteria.",
  },
  searched: ["title", "description", "category"],
  isStamped: false,
  emptyValues: { title: "", url: "", description: "", category: "" },
  isDirty: ({ title, url }) => title !== "" || url !== "",

  Fields: ({ field }) => (
    <>
      <TextField label="Title" required {...field("title")} />
      <TextField label="URL" type="url" required {...field("url")} />
      <TextArea label="Description" rows={3} {...field("description")} />
      <TextField label="Category" required {...field("category")} />
    </>
  ),

  Card: ({ card: { item }, actions, isPage }) => (
    <CardFrame
      table="useful_links"
      item={item}
      isPage={isPage}
      actions={actions}
      beside={
        <a
          href={safeAddress(item.url) || undefined}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          aria-label={`Open ${item.title}`}
          title={`Open ${item.title}`}
          className="inline-grid size-11 shrink-0 place-items-center text-ink hover:bg-marker hover:text-on-marker"
        >
          <OpenIcon />
        </a>
      }
      about={
        <>
          <span className="font-mono empty:hidden">{hostOf(item.url)}</span>
          <Chip>{item.category}</Chip>
        </>
      }
    >
      {item.description && (
        <p dir="auto" className="max-w-measure whitespace-pre-line text-muted">
          {item.description}
        </p>
      )}
    </CardFrame>
  ),
};
