/**
 * Whether a text has a visible character: neither white space nor a control character, nor one that Unicode lets
 * programs ignore, such as a zero-width space. The database's `private.has_text` is the same rule. Braille's blank
 * pattern (U+2800) counts as white space.
 */
export const hasText = (text: string | null | undefined): text is string =>
  /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text ?? "");
