/** A picture in a Markdown text that needs a description. */
export interface UndescribedPicture {
  /** The text in the brackets, or the picture's number if they are empty. */
  name: string;
  /** The range of the text in the brackets. */
  start: number;
  end: number;
}

interface DescribedPicture {
  alt: string;
  address: string;
  altStart: number;
  altEnd: number;
  end: number;
}

const PICTURE = /!\[((?:[^[\]\\]|\\.)*)\]\(([^()\s]*)[^()\n]*\)/g;
const FENCE = /^[ \t>]*(`{3,}|~{3,})(.*)$/;
/** Names that cameras, phones and programs give, and words without spaces that contain digits or underscores. */
const FILE_NAME =
  /\.(?:png|jpe?g|webp|gif|avif)$|^(?:img|dscn?|pxl|mvimg|image|picture|photo|foto|bild|scan|screen ?shot|bildschirmfoto|untitled|unbenannt|whatsapp image)[\s_()\d.:-]*$|^(?:screen ?shot|bildschirmfoto|whatsapp image)\s.*\d|^(?=\S*[\d_])[\w-]+$/i;

/** `fileNames` are the names of files that were added to the text, by address. */
export function undescribedPictures(
  text: string,
  fileNames: ReadonlyMap<string, string>,
): UndescribedPicture[] {
  return picturesIn(text).flatMap(({ alt, address, altStart, altEnd }, index) => {
    if (address.startsWith("uploading:")) return [];
    const name = alt.trim();
    const isDescribed = name !== "" && name !== fileNames.get(address) && !FILE_NAME.test(name);
    return isDescribed ? [] : [{ name: name || `picture ${index + 1}`, start: altStart, end: altEnd }];
  });
}

/** Returns the picture with the range in its brackets, or undefined. */
export function pictureAround(text: string, start: number, end: number): DescribedPicture | undefined {
  return picturesIn(text).find(({ altStart, altEnd }) => altStart <= start && end <= altEnd);
}

export function picturesIn(text: string): DescribedPicture[] {
  if (!text.includes("![")) return [];
  return Array.from(
    withoutCode(text).matchAll(PICTURE),
    ({ 0: markup, 1: alt = "", 2: address = "", index }) => ({
      alt,
      address,
      altStart: index + 2,
      altEnd: index + 2 + alt.length,
      end: index + markup.length,
    }),
  );
}

/** Replaces fenced code by spaces, so that the rest keeps its place. */
function withoutCode(text: string): string {
  let open = "";
  return text
    .split("\n")
    .map((line) => {
      const [, fence = "", after = ""] = FENCE.exec(line) ?? [];
      const isCode = open !== "" || fence !== "";
      if (open === "") open = fence;
      else if (fence.startsWith(open) && after.trim() === "") open = "";
      return isCode ? " ".repeat(line.length) : line;
    })
    .join("\n");
}
