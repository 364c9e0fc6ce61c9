import { variables } from "./variables.ts";

const KNOWN = Object.keys(variables.entries);
/** Other settings in the same file, for compose.yaml and the tests. */
const OTHERS = ["SITE_HOST", "POSTGRES_PASSWORD", "TECHFOLIO_TAG", "CHROME_PATH"];
/** Names that are shorter are too similar to those of other programs. */
const MIN_COMPARED = 8;
const MAX_TYPOS = 2;

/**
 * Returns a sentence for each name that is probably meant as a setting but isn't one: any unknown name in the file, and
 * in the environment, which belongs to other programs as well, names that are almost those of settings.
 */
export function unknownSettings(environment: object, file: object): string[] {
  const names = new Set([...Object.keys(file), ...Object.keys(environment)]);
  return [...names].flatMap((name) => {
    if (KNOWN.includes(name) || OTHERS.includes(name)) return [];
    const meant = KNOWN.find((known) => isAlmost(name.toUpperCase(), known));
    if (meant !== undefined) return [`${name} is not a setting: did you mean ${meant}?`];
    return name in file ? [`${name} in .env is not a setting.`] : [];
  });
}

function isAlmost(name: string, known: string): boolean {
  return known.length >= MIN_COMPARED && distance(name, known) <= MAX_TYPOS;
}

/** The Levenshtein distance: how many characters must be inserted, removed or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, otherCharacter] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + Number(character !== otherCharacter);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
