/** An absolute URL, also without its scheme. */
export const SCHEME = /^[a-z][a-z0-9+.-]*:|^\/\//i;

/** Returns the paths that a relative URL may mean: the decoded one and the written one. Empty if it names no file. */
export function spellings(address: string): string[] {
  const spelled = address.replace(/[?#].*$/s, "").replaceAll("\\", "/");
  return [...new Set([decode(spelled), spelled])].filter((each) => !/^[./]*$/.test(each));
}

export const lowerCase = (path: string): string => path.normalize().toLowerCase();

/** Returns the path without its extension: a text's own folder in Hexo, and its page in Hugo. */
export const stemOf = (path: string): string => path.replace(/\.[^./]+$/, "");

/** Returns a file's folder and all folders above it, up to the root "". */
export function folders(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return [...parts.keys(), parts.length].reverse().map((length) => parts.slice(0, length).join("/"));
}

export function joinPath(folder: string, address: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of address.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

export function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
