/** Silent reading speed per minute, in words or, for languages without spaces, in characters. */
const WORDS = 230;
const CHARACTERS = 500;
const UNSEPARATED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** The reading time of a rendered article in whole minutes, at least one. */
export function readingMinutes(html: string): number {
  const text = html.replace(/<details[\s\S]*?<\/details>/, "").replace(/<[^>]*>/g, " ");
  const characters = text.match(UNSEPARATED)?.length ?? 0;
  const words = text.replace(UNSEPARATED, " ").match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS + characters / CHARACTERS));
}
