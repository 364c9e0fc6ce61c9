import { MAX_CHARACTERS } from "../data/limits.ts";
import type { ItemFields, Row } from "../data/schema.ts";
import type { KindDefinition } from "./kind-definition.ts";

export type UsefulLink = Row<"useful_links">;
export type LinkFields = ItemFields<UsefulLink>;

export const usefulLinks: KindDefinition<LinkFields, UsefulLink, "useful_links"> = {
  table: "useful_links",
  ownerColumn: "profile_id",
  isPublishable: false,
  hasUpdatedAt: false,
  path: "/useful-links",
  name: "Useful Links",
  itemName: "Link",
  description: "Documentation, tools and reading that professionals keep coming back to.",
  texts: {
    searchPlaceholder: "Search links by title, description, or category...",
    createHeading: "Add New Link",
    editHeading: "Edit Link",
    createButton: "Add Link",
    updateButton: "Update Link",
    noResults: "No links found matching your search criteria.",
    latest: "Latest Useful Links",
    noItems: "No useful links yet.",
  },
  columns: {
    title: { type: "text", noun: "title", isRequired: true, maxLength: MAX_CHARACTERS.name },
    url: { type: "address", noun: "address", isRequired: true },
    description: { type: "text", noun: "description", maxLength: MAX_CHARACTERS.description },
    category: { type: "text", noun: "category", isRequired: true, maxLength: MAX_CHARACTERS.name },
  },
  noteColumn: "category",
  summaryColumn: "description",
  hasSocialCard: false,
  jsonLd({ title, url, category }, { absolute }) {
    const address = absolute(url);
    const about = address ? { "@type": "WebPage", name: title, url: address } : undefined;
    return { "@type": "WebPage", name: title, keywords: category, about };
  },
  formHeight: "min-h-125 sm:min-h-121",
  isDirty: ({ title, url }) => title !== "" || url !== "",
};
