import type { Root } from "hast";
import { visitParents } from "unist-util-visit-parents";

/** Matches the end of an uploaded picture's URL, which contains its width and height (contract, "Pictures"). */
const SIZE_IN_ADDRESS =
  /\/storage\/v1\/object\/public\/pictures\/[0-9a-f-]{36}\/[0-9a-f]{32}-(\d{1,5})x(\d{1,5})\.\w+$/;

/** Sets the size of uploaded pictures, to prevent layout shifts. On an item's page, the first one loads eagerly. */
export function rehypePictures({ isPage }: { isPage: boolean }) {
  return (tree: Root) => {
    let isFirst = isPage;
    visitParents(tree, "element", ({ tagName, properties }) => {
      if (tagName !== "img") return;
      const [, width, height] = SIZE_IN_ADDRESS.exec(String(properties.src)) ?? [];
      if (width && height) Object.assign(properties, { width: Number(width), height: Number(height) });
      if (isFirst) Object.assign(properties, { loading: "eager", decoding: "auto" });
      isFirst = false;
    });
  };
}
