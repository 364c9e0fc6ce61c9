import { redirect } from "react-router";
import { personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { toDescription } from "../../common/data/description.ts";
import { position } from "../../common/data/experience.ts";
import { CACHEABLE } from "../../common/page-services.ts";
import { personJsonLd } from "../document/json-ld.server.ts";
import { feeds, pageMeta, socialCard } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { pageServices } from "../page-services.ts";
import { loadPerson } from "../people/load-person.server.ts";
import { PersonPage } from "../people/person-page.tsx";
import type { Route } from "./+types/person";

export async function loader({ params: { username }, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const loaded = await readOrFail("person", services, loadPerson(username, services));
  const { person, skills } = loaded;
  // The redirect is temporary and not cached, because usernames can change.
  if (person.slug !== username) {
    throw redirect(personPath(person.slug), { status: 307, headers: { "Cache-Control": "no-store" } });
  }
  const names = skills.map(({ name }) => name);
  return { ...loaded, jsonLd: personJsonLd(services.site, person, names) };
}

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData) return [];
  const { person, jsonLd } = loaderData;
  const path = personPath(person.slug);
  const name = authorName(person);
  return pageMeta(matches, {
    path,
    name,
    description: toDescription(person.bio || position(person) || `The portfolio of ${name}`),
    type: "profile",
    robots: person.isFormer ? "noindex" : undefined,
    picture: socialCard(`/cards/people/${person.id}.png`),
    alternates: [
      { path: `${path}.json`, title: "JSON Resume", type: "application/json" },
      { path: `${path}.vcf`, title: "vCard", type: "text/vcard" },
      ...feeds(path, (kind) => `${kind} by ${name}`),
    ],
    jsonLd,
  });
};

export default function Person({ loaderData }: Route.ComponentProps) {
  return <PersonPage key={loaderData.person.id} data={loaderData} />;
}
