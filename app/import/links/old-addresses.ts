import { decode, lowerCase } from "../files/paths.ts";
import type { FileItem } from "../items.ts";

/** Fields that can only name the article itself, simplified as in `FrontMatter`. */
const OWN = ["permalink", "canonical", "canonicalurl", "canonicallink", "aliases", "redirectfrom"];
/** Fields that name the article itself, or the page of another site that a link post or a clipping is about. */
const MAYBE_OWN = ["url", "link"];
export const ADDRESS_FIELDS: readonly string[] = [...OWN, ...MAYBE_OWN, "guid"];

/** WordPress writes its internal addresses with the blog's own host. */
const WORDPRESS_ID = /^https?:\/\/[^/?#]+\/?\?(?:p|page_id)=\d+$/i;
const ABSOLUTE = /^(?:https?:)?\/\//i;
const PATH = /^\/(?!\/)/;
/** The address of a site in the settings of Jekyll, Hexo, Hugo, MkDocs and GitHub Pages. */
const SITE = /^[ \t]*["']?(?:url|base_?url|site_?url)["']?[ \t]*[:=][ \t]*["']?(https?:\/\/[^\s"',#]+)/im;
const BASE = /^[ \t]*["']?(?:baseurl|root)["']?[ \t]*[:=][ \t]*["']?(\/[^\s"',#]+)/im;
const SETTINGS =
  /^(?:[^/]+\/){0,2}(?:CNAME|_?config\.(?:ya?ml|toml|json)|hugo\.(?:ya?ml|toml|json)|mkdocs\.yml)$/;

/** Whether a file may contain the address of the site that an archive or folder belongs to. */
export const mayNameSite = (path: string): boolean => SETTINGS.test(path);

/** Returns the addresses of the site in a settings file: its host, and its host and path. */
export function sitesIn(path: string, text: string): string[] {
  if (path.endsWith("CNAME")) return /^\s*([a-z0-9-]+(?:\.[a-z0-9-]+)+)\s*$/i.exec(text)?.slice(1) ?? [];
  const [, site] = SITE.exec(text) ?? [];
  if (!site) return [];
  const [, base = ""] = BASE.exec(text) ?? [];
  return [...new Set([site + base, site])];
}

/**
 * Finds the articles of one archive or folder by their addresses on the old site. It doesn't guess:
 *
 * - An absolute address in `permalink`, `canonical`, `aliases` or `redirect_from` is its article's.
 * - An absolute address in `url` or `link` may also be the page that a link post is about. It is its article's if it ends
 *   with the article's file name or `slug`, and either contains the year and month of the article's date, or its host
 *   is known or that of at least half of the articles.
 * - The import's own sites are those of settings files, of WordPress' `guid`, and of the addresses above, except
 *   canonical ones. On these, a path in the fields is its article's, and so is a date with the article's name.
 *
 * An address that two articles have leads to neither. The scheme, `www.`, `index.html`, a slash at the end and `utm_`
 * parameters don't matter.
 */
export class OldAddresses {
  readonly #byAddress = new Map<string, Set<FileItem>>();
  readonly #byPath = new Map<string, Set<FileItem>>();
  readonly #byName = new Map<string, Set<FileItem>>();
  /** The sites in settings files, the longest first. */
  readonly #configured: string[];
  readonly #sites: Set<string>;

  constructor(items: FileItem[], sites: Iterable<string> = []) {
    this.#configured = Array.from(sites, plain).sort((a, b) => b.length - a.length);
    this.#sites = new Set(this.#configured);
    const uncertain: { item: FileItem; address: string }[] = [];
    for (const item of items) {
      for (const name of item.names ?? []) add(this.#byName, slugOf(name), item);
      for (const { field, address } of item.oldAddresses ?? []) {
        const isWordPress = WORDPRESS_ID.test(address);
        if (PATH.test(address)) add(this.#byPath, plain(address), item);
        else if (!ABSOLUTE.test(address)) continue;
        else if (MAYBE_OWN.includes(field) && !isWordPress) uncertain.push({ item, address });
        else if (field !== "guid" || isWordPress) {
          if (field === "permalink" || isWordPress) this.#sites.add(hostOf(address));
          this.#addAddress(address, item);
        }
      }
    }
    this.#addUncertain(uncertain, items.length);
  }

  #addUncertain(uncertain: { item: FileItem; address: string }[], articles: number): void {
    const byHost = Object.groupBy(uncertain, ({ address }) => hostOf(address));
    for (const [host, group = []] of Object.entries(byHost)) {
      const isOwnHost = this.#sites.has(host) || new Set(group.map(({ item }) => item)).size * 2 >= articles;
      for (const { item, address } of group) {
        const { name, date } = partsOf(plain(address));
        const isNamed = this.#byName.get(name)?.has(item) ?? false;
        if (!isNamed || !(isOwnHost || (date && isOn(item, date)))) continue;
        this.#sites.add(host);
        this.#addAddress(address, item);
      }
    }
  }

  /** Ignores the address of a whole site, because it isn't an article's. */
  #addAddress(address: string, item: FileItem): void {
    if (/[/?]/.test(plain(address))) add(this.#byAddress, plain(address), item);
  }

  /** Returns the path of the article's file, or null. */
  find(address: string): string | null {
    const whole = plain(address);
    if (PATH.test(address)) return onlySource(this.#byPath.get(whole));
    if (!ABSOLUTE.test(address)) return null;
    const found = this.#byAddress.get(whole);
    if (found) return onlySource(found);
    for (const site of this.#sites) {
      if (!whole.startsWith(`${site}/`)) continue;
      const path = whole.slice(site.length);
      const source = onlySource(this.#byPath.get(path)) ?? this.#byDate(path);
      if (source !== null) return source;
    }
    return null;
  }

  #byDate(path: string): string | null {
    const { name, date } = partsOf(path);
    if (!date || path !== `/${date}/${name}`) return null;
    return onlySource(new Set([...(this.#byName.get(name) ?? [])].filter((item) => isOn(item, date))));
  }

  /** Returns the path of an address on a site in a settings file, or null. */
  pathOnSite(address: string): string | null {
    if (!ABSOLUTE.test(address)) return null;
    const whole = plain(address);
    const site = this.#configured.find((each) => whole.startsWith(`${each}/`));
    return site === undefined ? null : whole.slice(site.length);
  }

  /** Whether an article has this path, although no file names the address's site. */
  mayBeOwn(address: string): boolean {
    if (!ABSOLUTE.test(address)) return false;
    const path = plain(address).replace(/^[^/]*/, "");
    return path.lastIndexOf("/") > 0 && this.#byPath.has(path);
  }
}

function add(map: Map<string, Set<FileItem>>, key: string, item: FileItem): void {
  if (key !== "") map.set(key, (map.get(key) ?? new Set()).add(item));
}

function onlySource(items: ReadonlySet<FileItem> = new Set()): string | null {
  const [source = null, ...others] = new Set(Array.from(items, (item) => item.source));
  return others.length === 0 ? source : null;
}

/** Returns an address in the form for comparisons. */
function plain(address: string): string {
  const [whole = ""] = address.trim().split("#");
  const [path = "", query = ""] = whole.split("?");
  const own = query.split("&").filter((each) => each !== "" && !/^utm_/i.test(each));
  const bare = decode(path)
    .replace(ABSOLUTE, "")
    .replace(/^www\./i, "")
    .replace(/\/index\.html?$/i, "")
    .replace(/\.html?$/i, "")
    .replace(/\/+$/, "");
  return lowerCase(own.length > 0 ? `${bare}?${own.join("&")}` : bare);
}

const hostOf = (address: string): string => plain(address).replace(/[/?].*$/s, "");

/** Returns the last part of an address, and the date before it: `2019/03` or `2019/03/05`. */
function partsOf(address: string): { name: string; date: string | undefined } {
  const [, date, name = ""] = /(?:\/(\d{4}\/\d{2}(?:\/\d{2})?))?\/([^/?]+)$/.exec(address) ?? [];
  return { name: slugOf(name), date };
}

/** A day can differ by the time zone, so only the year and the month count. */
const isOn = ({ createdAt }: FileItem, date: string): boolean =>
  createdAt?.slice(0, 7) === date.slice(0, 7).replace("/", "-");

const slugOf = (name: string): string =>
  lowerCase(name)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
