import { BUCKET } from "../../../pictures/picture-path.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:|^\/\//i;
/** A picture of this or of another Techfolio site, whose file is in the download's folder `pictures`. */
const UPLOADED = new RegExp(
  `/storage/v1/object/public/${BUCKET}/[0-9a-f-]{36}/([0-9a-f]{32}-\\d+x\\d+\\.\\w+)$`,
);

/**
 * The file that an address in an article means, among the paths of the files that came with it. Undefined for an address
 * on another site. Generators resolve addresses in their own ways, so a path is also found by its end: Hugo leaves out
 * `static`, Jekyll starts at the root of the site, and Obsidian looks in all folders.
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
  const beside = uploaded ? wanted : join(articlePath, plain);
  return (
    all.find((path) => path === beside) ??
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
