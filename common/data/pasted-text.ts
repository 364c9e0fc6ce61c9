/**
 * Marks of direction and of width, soft hyphens and byte-order marks, which programs copy with a text. Joiners (U+200C,
 * U+200D) are missing, because words of some scripts and some emoji need them.
 */
const INVISIBLE = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, "");

/** Whether a text has a control or format character, which people don't see. */
export const hasInvisible = (text: string): boolean => /[\p{Cc}\p{Cf}]/u.test(text);

/** Removes blanks and characters that people don't see at both ends, for example the blank that phones add to a word. */
export const trimInvisible = (text: string): string =>
  text.replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, "");
