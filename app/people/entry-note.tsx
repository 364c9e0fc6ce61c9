import type { Entry } from "../data/content-reads.ts";
import { LANGUAGES } from "../data/vocabulary.ts";
import { Chip } from "../ui/chip.tsx";
import { LocalDate } from "../ui/local-date.tsx";

/** What stands beside an item's title where only that is shown. */
export function EntryNote({ entry: { created_at, category, language = "" } }: { entry: Entry }) {
  if (created_at) return <LocalDate time={created_at} />;
  return <Chip>{category ?? LANGUAGES[language] ?? language}</Chip>;
}
