/** Typical speeds of silent reading. Chinese, Japanese and Thai, which have no spaces, are measured in characters. */
const WORDS_PER_MINUTE = 230;
const CHARACTERS_PER_MINUTE = 500;
const WRITTEN_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Estimates a rendered article's reading time in whole minutes, at least one. */
export function readingMinutes(html: string): number {
  const text = html.replace(/<details[\s\S]*?<\/details>/, "").replace(/<[^>]*>/g, " ");
  const characters = text.match(WRITTEN_WITHOUT_SPACES)?.length ?? 0;
  const words = text.replace(WRITTEN_WITHOUT_SPACES, " ").match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE));
}
