/** A skill's level as a bar. For screen readers it is words, as generated content, which takes few bytes. */
export const LevelBar = ({ level }: { level: number }) => <span className="level" data-level={level} />;

/** A skill's level such as "4/5", without the slash for screen readers: the bar has words for them. */
export const Level = ({ level }: { level: number }) => <i aria-hidden="true">{`${level}/5`}</i>;
