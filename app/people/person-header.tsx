import { personPath } from "../data/addresses.ts";
import { authorName } from "../data/author.ts";
import { experience, position } from "../data/experience.ts";
import { safeAddress } from "../ui/address.ts";
import { Avatar } from "../ui/avatar.tsx";
import { OpenIcon } from "../ui/icons.tsx";
import type { PersonData } from "./load-person.ts";
import { PrintedAddress } from "./printed-address.tsx";
import { SkillChips } from "./skill-chips.tsx";
import { SkillTable } from "./skill-table.tsx";

export function PersonHeader({ data: { person, skills } }: { data: PersonData }) {
  const name = authorName(person);
  const linkedIn = safeAddress(person.linkedin_url);
  const featured = person.featured_skills?.filter(Boolean) ?? [];
  return (
    <header className="grid gap-x-10 gap-y-6 *:lg:col-start-2 lg:grid-cols-margin">
      <div className="lg:col-start-1! lg:row-start-1">
        <Avatar name={name} address={person.avatar_url} />
      </div>
      <div className="min-w-0">
        <h1 className="font-display text-title font-bold tracking-tight">
          <bdi>{name}</bdi>
        </h1>
        <p dir="auto" className="mt-2 text-lg text-muted empty:hidden">
          {position(person)}
        </p>
        <p dir="auto" className="text-ink empty:hidden">
          {experience(person)}
        </p>
        <PrintedAddress path={personPath(person.segment)} />
        {linkedIn && (
          <a
            href={linkedIn}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            aria-label={`${name} on LinkedIn`}
            className="inline-flex min-h-11 items-center gap-1.5 text-ink underline underline-offset-4"
          >
            LinkedIn <OpenIcon />
          </a>
        )}
      </div>
      {person.bio && (
        <p dir="auto" className="max-w-measure text-prose whitespace-pre-line">
          {person.bio}
        </p>
      )}
      {featured.length > 0 && (
        <ul aria-label="Featured skills" className="flex flex-wrap gap-x-4 gap-y-1 font-semibold">
          {featured.map((skill, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and none moves
            <li key={index}>
              <bdi>{skill}</bdi>
            </li>
          ))}
        </ul>
      )}
      {skills.length > 0 && (
        <section aria-labelledby="skills">
          <h2 id="skills" className="mb-3 font-display text-xl font-bold tracking-tight">
            Skills
          </h2>
          <div className="print:hidden">
            <SkillChips label="Skills" skills={skills} />
          </div>
          <SkillTable skills={skills} className="hidden print:table" />
        </section>
      )}
    </header>
  );
}
