export const TAGLINE =
  "A platform for professionals to highlight their Python, SQL, and AWS skills through portfolios, sample code, and knowledge sharing.";

const EXPERTISE = [
  {
    title: "SQL Mastery",
    text: "Queries that stay fast, schemas that stay honest, migrations that nobody notices.",
    glyph: "select *",
    edge: "border-t-[#3b78c9]",
  },
  {
    title: "Python Excellence",
    text: "From a script that saves an afternoon to services and pipelines that run for years.",
    glyph: "def __call__",
    edge: "border-t-[#3d9a57]",
  },
  {
    title: "AWS Expertise",
    text: "Infrastructure that scales when it has to, and costs what was planned.",
    glyph: "arn:aws:…",
    edge: "border-t-[#e08a2e]",
  },
];

/** The headline, the tagline and the three cards (specification §1 and §2, Home). */
export function Intro() {
  return (
    <section aria-labelledby="headline">
      <h1
        id="headline"
        className="max-w-4xl font-display text-[2.75rem] leading-[1.05] font-bold tracking-[-0.025em] text-balance sm:text-6xl lg:text-7xl"
      >
        Our Tech Expertise
      </h1>
      <p className="mt-5 max-w-2xl text-lg leading-8 text-muted">{TAGLINE}</p>
      <ul className="mt-10 grid gap-6 md:grid-cols-3">
        {EXPERTISE.map(({ title, text, glyph, edge }) => (
          <li key={title} className={`rounded-lg border border-t-4 border-line bg-surface p-5 ${edge}`}>
            <p aria-hidden="true" className="font-mono text-sm text-muted">
              {glyph}
            </p>
            <h2 className="mt-2 font-display text-xl font-bold tracking-tight">{title}</h2>
            <p className="mt-1.5 leading-6 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
