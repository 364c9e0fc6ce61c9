/** Makes the first letter of English words a capital letter. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
