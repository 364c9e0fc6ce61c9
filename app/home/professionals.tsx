import { personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { experience, position } from "../../common/data/experience.ts";
import type { Professional } from "../../common/data/people-reads.ts";
import { safeAddress } from "../../common/safe-address.ts";
import { SkillChips } from "../people/skill-chips.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { OpenIcon } from "../ui/icons.tsx";
import { Panel } from "../ui/panel.tsx";
import { PersonLink } from "../ui/person-link.tsx";
import { TextLink } from "../ui/text-link.tsx";

const VISIBLE_SKILLS = 8;

function ProfessionalCard({ professional }: { professional: Professional }) {
  const { skills } = professional;
  const name = authorName(professional);
  const hidden = skills.length - VISIBLE_SKILLS;
  const linkedIn = safeAddress(professional.linkedin_url);
  return (
    <li className="flex flex-col py-6 md:px-6 md:first:ps-0 md:last:pe-0">
      <div className="flex items-start gap-4">
        <Avatar name={name} address={professional.avatar_url} />
        <div className="min-w-0 flex-1">
          <h3 className="font-display text-xl leading-7 font-bold tracking-tight">
            <PersonLink to={personPath(professional.slug)} name={name} />
          </h3>
          <p className="text-sm text-muted" dir="auto">
            {position(professional)}
          </p>
        </div>
        {linkedIn && (
          <a
            href={linkedIn}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            aria-label={`${name} on LinkedIn`}
            className="-me-3 inline-grid size-11 place-items-center self-start text-muted hover:bg-marker hover:text-on-marker"
          >
            <OpenIcon />
          </a>
        )}
      </div>
      <p className="mt-4 empty:hidden">{experience(professional)}</p>
      {professional.bio && (
        <p className="mt-1.5 line-clamp-4 leading-6 text-muted" dir="auto">
          {professional.bio}
        </p>
      )}
      {skills.length > 0 && (
        <div className="mt-5 flex flex-col items-start gap-1.5">
          <SkillChips label={`Skills of ${name}`} skills={skills.slice(0, VISIBLE_SKILLS)} />
          {hidden > 0 && (
            <details>
              <summary className="inline-flex min-h-11 items-center text-sm underline underline-offset-4 hover:bg-marker hover:text-on-marker">
                {`${hidden} more`}
                <span className="sr-only">{` ${hidden === 1 ? "skill" : "skills"} of ${name}`}</span>
              </summary>
              <SkillChips label={`More skills of ${name}`} skills={skills.slice(VISIBLE_SKILLS)} />
            </details>
          )}
        </div>
      )}
    </li>
  );
}

export function Professionals({ professionals }: { professionals: Professional[] }) {
  return (
    <Panel
      title="Featured Professionals"
      empty={professionals.length === 0 && "No featured professionals yet."}
      end={
        <p className="mt-3">
          <TextLink to="/people">All Professionals</TextLink>
        </p>
      }
    >
      <ul className="-mt-6 grid divide-rule max-md:divide-y md:grid-cols-3 md:divide-x">
        {professionals.map((professional) => (
          <ProfessionalCard key={professional.id} professional={professional} />
        ))}
      </ul>
    </Panel>
  );
}
