/** A skill's level, such as "4/5". Screen readers would read the slash, so they get words instead. */
export function Proficiency({ level }: { level: number }) {
  return <span role="img" aria-label={`proficiency ${level} of 5`}>{`${level}/5`}</span>;
}
