import { expect, test } from "vitest";
import { calendarWords } from "./calendar-words.ts";

test.each([
  ["january", 1],
  ["jan", 1],
  ["december", 12],
  ["sept", 9],
  ["sep", 9],
  ["märz", 3],
  ["août", 8],
  // Slavic languages inflect a month's name after a day.
  ["января", 1],
  ["январь", 1],
  ["października", 10],
  ["ağustos", 8],
  ["mai", 5],
  ["enero", 1],
  ["gennaio", 1],
  ["janeiro", 1],
  ["maart", 3],
  ["augusti", 8],
  ["marts", 3],
  ["desember", 12],
  ["stycznia", 1],
  ["leden", 1],
  ["ledna", 1],
  ["січня", 1],
  ["січень", 1],
  ["agustus", 8],
])("%s is the month %i", (word, month) => {
  expect(calendarWords().months.get(word)).toBe(month);
});

test("weekdays of all languages, ordinals and prepositions are words that dates may contain", () => {
  const { others, months } = calendarWords();
  for (const word of [
    ..."monday mon sunday sun sonntag samedi sábado domenica terça zondag söndag lørdag niedziela neděle понедельник".split(
      " ",
    ),
    ..."неділя pazar minggu".split(" "),
    ..."st nd rd th er of the on at de del le du um kl uhr à o den di".split(" "),
  ])
    expect(others.has(word), word).toBe(true);
  for (const word of ["monday", "a", "joins"]) expect(months.has(word)).toBe(false);
  expect(new Set(months.values())).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
  for (const word of [...months.keys(), ...others]) expect(word).toBe(word.toLowerCase());
});
