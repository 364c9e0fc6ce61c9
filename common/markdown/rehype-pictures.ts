import type { Element, Parents, Root } from "hast";
import { visitParents } from "unist-util-visit-parents";
import { parsePictureAddress } from "../pictures/picture-path.ts";
import { safeAddress } from "../safe-address.ts";

/** A picture in these first blocks of an item's page is likely to be visible when the page appears. */
const FIRST_BLOCKS = 3;

/**
 * Sets the size of uploaded pictures, to prevent layout shifts, and links each picture to its own address, where the
 * browser shows it at full size. On an item's page, the first picture loads eagerly if it is among the first blocks.
 */
export function rehypePictures({ isPage }: { isPage: boolean }) {
  return (tree: Root) => {
    const firstBlocks = tree.children.filter(({ type }) => type === "element").slice(0, FIRST_BLOCKS);
    const pictures: { picture: Element; parents: Parents[] }[] = [];
    visitParents(tree, { tagName: "img" }, (picture: Element, parents) => {
      pictures.push({ picture, parents });
    });
    for (const [index, { picture, parents }] of pictures.entries()) {
      const { properties } = picture;
      const uploaded = parsePictureAddress(String(properties.src));
      if (uploaded) Object.assign(properties, { width: uploaded.width, height: uploaded.height });
      const isVisibleFirst =
        isPage && index === 0 && firstBlocks.some((block) => parents.includes(block as Element));
      if (isVisibleFirst) Object.assign(properties, { loading: "eager", decoding: "auto" });
      const isLinked = parents.some((parent) => parent.type === "element" && parent.tagName === "a");
      const parent = parents.at(-1);
      if (parent && !isLinked && safeAddress(String(properties.src)))
        parent.children.splice(parent.children.indexOf(picture), 1, linkTo(picture));
    }
  };
}

const linkTo = (picture: Element): Element => ({
  type: "element",
  tagName: "a",
  properties: {
    href: picture.properties.src,
    target: "_blank",
    className: ["picture-link"],
    ...(!picture.properties.alt && { ariaLabel: "Open the picture" }),
  },
  children: [picture],
});
