import { redirect } from "react-router";
import { personPath } from "../data/addresses.ts";
import { toDescription } from "../data/description.ts";
import { position } from "../data/experience.ts";
import { personJsonLd } from "../document/json-ld.server.ts";
import { pageMeta } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { loadPerson } from "../people/load-person.ts";
import { PersonPage } from "../people/person-page.tsx";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/person";

export async function loader({ params: { username }, context }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  const person = await readOrFail("person", page, loadPerson(username, page));
  const { segment } = person.writer;
  // Not for long: the username may become another's, or another name theirs.
  if (segment !== username) {
    throw redirect(personPath(segment), { status: 307, headers: { "Cache-Control": "no-store" } });
  }
  const skills = person.skills.map(({ name }) => name);
  return { ...person, jsonLd: personJsonLd(page.site, { ...person, skills }) };
}

export const meta: Route.MetaFunction = ({ matches, loaderData: person }) => {
  if (!person) return [];
  const { writer, profile, jsonLd } = person;
  const path = personPath(writer.segment);
  return pageMeta(matches, {
    path,
    name: writer.name,
    description: toDescription(profile.bio || position(profile) || `The portfolio of ${writer.name}`),
    type: "profile",
    card: `/cards/people/${profile.id}.png`,
    feed: { path: `${path}/feed.xml`, title: `Articles by ${writer.name}` },
    jsonLd,
  });
};

export default function Person({ loaderData }: Route.ComponentProps) {
  return <PersonPage person={loaderData} />;
}
