/**
 * The languages in which dates may name months and weekdays: Unix `date`, for example, prints them in the system's
 * language. If a name means different months in two languages, the language that is listed first wins.
 */
const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "sv",
  "da",
  "nb",
  "pl",
  "cs",
  "ru",
  "uk",
  "tr",
  "id",
];
const ORDINALS_AND_PREPOSITIONS = "st nd rd th er of the on at de del le du um kl uhr à o den di".split(" ");

interface CalendarWords {
  months: ReadonlyMap<string, number>;
  others: ReadonlySet<string>;
}

let words: CalendarWords | undefined;

/** Returns the names of months with their numbers, and the other words that dates may contain, in lower case. */
export function calendarWords(): CalendarWords {
  words ??= collect();
  return words;
}

function collect(): CalendarWords {
  const months = new Map<string, number>();
  const others = new Set(ORDINALS_AND_PREPOSITIONS);
  for (const language of LANGUAGES) {
    for (const style of ["long", "short"] as const) {
      // Collect both forms of a month's name: Slavic languages inflect it after a day.
      const options = [{ month: style }, { month: style, day: "numeric" }] as const;
      for (const format of options.map((option) => new Intl.DateTimeFormat(language, option)))
        for (let month = 1; month <= 12; month++) {
          const name = partOf(format, "month", new Date(2023, month - 1, 5));
          if (name && !months.has(name)) months.set(name, month);
        }
      const weekday = new Intl.DateTimeFormat(language, { weekday: style });
      for (let day = 1; day <= 7; day++) others.add(partOf(weekday, "weekday", new Date(2023, 0, day)) ?? "");
    }
  }
  months.set("sept", 9);
  return { months, others };
}

function partOf(format: Intl.DateTimeFormat, type: "month" | "weekday", date: Date): string | undefined {
  const value = format.formatToParts(date).find((part) => part.type === type)?.value;
  return value
    ?.normalize("NFKC")
    .toLowerCase()
    .match(/\p{L}[\p{L}\p{M}]*/u)?.[0];
}
