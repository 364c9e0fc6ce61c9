import { Link } from "react-router";
import { personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { experience, position } from "../../common/data/experience.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { safeAddress } from "../../common/safe-address.ts";
import { useIsOperator } from "../session/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import { OpenIcon } from "../ui/icons.tsx";
import { ReportLink, useAcceptsReports } from "../ui/report-link.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { LinkedText } from "./linked-text.tsx";
import type { PersonData } from "./load-person.server.ts";
import { peopleWithSkill } from "./people-with-skill.ts";
import { PrintedAddress } from "./printed-address.tsx";
import { PrintedCode } from "./printed-code.tsx";
import { SkillTable } from "./skill-table.tsx";

export function PersonHeader({ data: { person, skills, code } }: { data: PersonData }) {
  const name = authorName(person);
  const featured = person.featured_skills?.filter((skill) => skill.trim()) ?? [];
  return (
    <header className="grid gap-x-10 gap-y-8 lg:grid-cols-margin">
      <div className="flex items-center gap-x-6 gap-y-3 lg:flex-col lg:items-start print:block">
        <PrintedCode code={code} />
        <Avatar name={name} address={person.avatar_url} isLarge />
        <Links person={person} name={name} />
      </div>
      <div className="min-w-0 space-y-6">
        <div>
          <h1 className="font-display text-title font-bold tracking-tight">
            <bdi>{name}</bdi>
          </h1>
          <p dir="auto" className="mt-2 text-lg text-muted empty:hidden">
            {position(person)}
          </p>
          <p dir="auto" className="text-ink empty:hidden">
            {experience(person)}
          </p>
          {person.isFormer && (
            <p className="mt-2 text-muted">
              <bdi>{name}</bdi> is no longer a member.
            </p>
          )}
          <PrintedAddress path={personPath(person.slug)} />
        </div>
        {person.bio && (
          <p dir="auto" className="max-w-measure text-prose whitespace-pre-line">
            <LinkedText text={person.bio} />
          </p>
        )}
        {featured.length > 0 && (
          <ul
            aria-label="Featured skills"
            className="flex flex-wrap gap-x-6 border-y border-ink py-1 font-semibold print:block"
          >
            {featured.map((skill, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skills may be duplicates, and their order never changes
              <li key={index} className="max-w-full">
                <Link
                  to={peopleWithSkill(skill)}
                  className="inline-flex min-h-11 max-w-full items-center underline decoration-1 underline-offset-4 hover:bg-marker hover:text-on-marker"
                >
                  <bdi className="min-w-0">{skill}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {skills.length > 0 && (
          <section aria-labelledby="skills">
            <h2 id="skills" className="mb-3 font-display text-2xl font-bold tracking-tight lg:text-4xl">
              Skills
            </h2>
            <SkillTable skills={skills} />
          </section>
        )}
      </div>
    </header>
  );
}

function Links({ person, name }: { person: PersonData["person"]; name: string }) {
  const isOperator = useIsOperator();
  const acceptsReports = useAcceptsReports();
  const linkedIn = safeAddress(person.linkedin_url);
  const path = personPath(person.slug);
  const formats = [
    ...KINDS.filter(({ feed }) => feed).map((kind) => ({
      path: path + kind.feed,
      name: "Feed",
      label: `Feed of ${kind.name.toLowerCase()} by ${name}`,
    })),
    { path: `${path}.vcf`, name: "vCard", label: `vCard of ${name}` },
    { path: `${path}.json`, name: "JSON Resume", label: `JSON Resume of ${name}` },
  ];
  return (
    <ul className="flex min-w-0 flex-wrap gap-x-5 lg:block print:block">
      {linkedIn && (
        <li>
          <a
            href={linkedIn}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            aria-label={`${name} on LinkedIn`}
            className="inline-flex min-h-11 items-center gap-1.5 text-ink underline underline-offset-4"
          >
            LinkedIn <OpenIcon />
          </a>
        </li>
      )}
      <li className="print:hidden">
        <button
          type="button"
          className="copy-link min-h-11 gap-1.5 text-ink hover:bg-marker hover:text-on-marker"
          aria-label={`Copy link to ${name}`}
          data-path={path}
        >
          <span className="underline underline-offset-4">Copy link</span>
        </button>
      </li>
      {formats.map(({ path, name, label }) => (
        <li key={path} className="print:hidden">
          <a
            href={path}
            aria-label={label}
            className="inline-flex min-h-11 items-center text-ink underline underline-offset-4"
          >
            {name}
          </a>
        </li>
      ))}
      {acceptsReports && (
        <li className="print:hidden">
          <ReportLink path={`/profile/${person.id}`} />
        </li>
      )}
      {isOperator && (
        <li className="print:hidden">
          <TextLink to={`/admin?members=${person.id}`}>Moderate</TextLink>
        </li>
      )}
    </ul>
  );
}
