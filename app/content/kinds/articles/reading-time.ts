/** Per minute, of silent reading: words of languages that separate them, and characters of those that do not. */
const WORDS = 230;
const CHARACTERS = 500;
const UNSEPARATED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Whole minutes that the text of a rendered article takes, at least one. */
export function readingMinutes(html: string): number {
  const text = html.replace(/<details[\s\S]*?<\/details>/, "").replace(/<[^>]*>/g, " ");
  const characters = text.match(UNSEPARATED)?.length ?? 0;
  const words = text.replace(UNSEPARATED, " ").match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS + characters / CHARACTERS));
}
