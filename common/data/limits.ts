/** The most characters that a text may have (contract, "Limits"). The database's domains have the same limits. */
export const MAX_CHARACTERS = {
  /** Titles, names, categories, job titles, companies and languages. */
  name: 1_000,
  skillName: 100,
  address: 4_000,
  /** Bios and descriptions. */
  description: 20_000,
  /** An article's text or a sample's code. */
  document: 500_000,
  /** The part of a text that a card in a list shows. */
  card: 20_000,
} as const;

export const MAX_YEARS_EXPERIENCE = 80;
