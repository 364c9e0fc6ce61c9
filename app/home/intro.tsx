import { Form } from "react-router";
import { TAGLINE } from "../../common/page-services.ts";
import { SearchField } from "../list/search-form.tsx";
import { Button } from "../ui/button.tsx";

const EXPERTISE = [
  {
    title: "SQL Mastery",
    text: "Queries that stay fast, schemas that stay honest, migrations that nobody notices.",
    glyph: "select *",
  },
  {
    title: "Python Excellence",
    text: "From a script that saves an afternoon to services and pipelines that run for years.",
    glyph: "def __call__",
  },
  {
    title: "AWS Expertise",
    text: "Infrastructure that scales when it has to, and costs what was planned.",
    glyph: "arn:aws:…",
  },
];

/** Without scripts, this is an ordinary GET form. */
function SearchEverything() {
  return (
    <search className="mt-8 block md:w-7/12">
      <Form action="/search" className="flex items-end gap-x-6">
        <SearchField name="q" label="Search" placeholder="Search everything..." value="" />
        <Button type="submit" className="shrink-0">
          Search
        </Button>
      </Form>
    </search>
  );
}

export function Intro() {
  return (
    <section aria-labelledby="headline">
      <h1
        id="headline"
        className="font-display text-headline-narrow font-bold tracking-tight sm:text-headline sm:whitespace-nowrap"
      >
        Our Tech Expertise
      </h1>
      <p className="mt-6 text-lg leading-8 text-pretty sm:text-xl md:w-7/12">{TAGLINE}</p>
      <SearchEverything />
      <ul className="mt-10 grid border-t-2 border-ink max-md:divide-y md:grid-cols-3 md:divide-x divide-rule">
        {EXPERTISE.map(({ title, text, glyph }) => (
          <li key={title} className="py-5 md:px-6 md:first:ps-0 md:last:pe-0">
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
