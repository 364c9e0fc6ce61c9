import { BUCKET } from "../../../common/pictures/picture-path.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:|^\/\//i;
/** Matches the URL of a picture on a Techfolio site. In a download, the picture's file is in the folder `pictures`. */
const UPLOADED = new RegExp(
  `/storage/v1/object/public/${BUCKET}/[0-9a-f-]{36}/([0-9a-f]{32}-\\d+x\\d+\\.\\w+)$`,
);

/**
 * Returns the path of the imported file that a picture's URL in an article refers to, or undefined if no file matches.
 * Site generators resolve URLs in different ways, so a file also matches if its path ends with the URL: Hugo omits
 * `static`, Jekyll starts at the root of the site, and Obsidian searches all folders.
 */
export function findPicture(
  address: string,
  articlePath: string,
  paths: Iterable<string>,
): string | undefined {
  const [, uploaded] = UPLOADED.exec(address) ?? [];
  if (uploaded === undefined && SCHEME.test(address)) return undefined;
  const plain = decode(address.replace(/[?#].*$/, ""));
  const wanted = uploaded ? `pictures/${uploaded}` : plain.replace(/^(?:\.{0,2}\/)+/, "");
  if (wanted === "") return undefined;
  const all = [...paths];
  const exact = uploaded ? wanted : join(articlePath, plain);
  return (
    all.find((path) => path === exact) ??
    all
      .filter((path) => path === wanted || path.endsWith(`/${wanted}`))
      .sort((a, b) => a.length - b.length)[0]
  );
}

function join(articlePath: string, address: string): string {
  const parts = articlePath.split("/").slice(0, -1);
  for (const part of address.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
