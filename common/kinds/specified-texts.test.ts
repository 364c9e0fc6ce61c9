import { expect, test } from "vitest";
import { KINDS } from "./index.ts";

test("lists and forms use the texts of the specification's §2", () => {
  const texts = Object.fromEntries(KINDS.map(({ table, texts }) => [table, texts]));
  expect(texts).toMatchObject({
    articles: {
      searchPlaceholder: "Search articles by title or content...",
      createHeading: "Create New Article",
      editHeading: "Edit Article",
      createButton: "Create Article",
      updateButton: "Update Article",
      noResults: "No articles found matching your search criteria.",
      latest: "Latest Articles",
      noItems: "No articles published yet.",
    },
    useful_links: {
      searchPlaceholder: "Search links by title, description, or category...",
      createHeading: "Add New Link",
      editHeading: "Edit Link",
      createButton: "Add Link",
      updateButton: "Update Link",
      noResults: "No links found matching your search criteria.",
      latest: "Latest Useful Links",
      noItems: "No useful links yet.",
    },
    code_samples: {
      searchPlaceholder: "Search code samples by title, description, or content...",
      createHeading: "Add New Code Sample",
      editHeading: "Edit Code Sample",
      createButton: "Add Sample",
      updateButton: "Update Sample",
      noResults: "No code samples found matching your search criteria.",
      latest: "Latest Code Samples",
      noItems: "No code samples yet.",
    },
  });
});
