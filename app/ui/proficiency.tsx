/** A skill's level, such as "4/5". Screen readers would read the slash, so they get words instead. */
export function Proficiency({ level }: { level: number }) {
  return (
    <>
      <span className="sr-only">{`proficiency ${level} of 5`}</span>
      <span aria-hidden="true">{`${level}/5`}</span>
    </>
  );
}
