import { safeAddress } from "../ui/address.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Chip } from "../ui/chip.tsx";
import { OpenIcon } from "../ui/icons.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import type { Professional } from "./load-home.ts";

/**
 * `N+ years in the lowercased current title` (specification §2, Home); without a title only the years, and nothing
 * for whoever has not told them.
 */
function experience({ years_experience, current_title }: Professional): string {
  if (years_experience === null) return "";
  const years = `${years_experience}+ years`;
  return current_title ? `${years} in ${current_title.toLowerCase()}` : years;
}

function ProfessionalCard({ professional }: { professional: Professional }) {
  const { name } = professional;
  const linkedIn = safeAddress(professional.linkedin_url);
  return (
    <li className="flex flex-col rounded-lg border border-line bg-surface p-5">
      <div className="flex items-start gap-4">
        <Avatar name={name} address={professional.avatar_url} />
        <div className="min-w-0 flex-1">
          <h3 className="font-display text-xl leading-6 font-bold tracking-tight">
            <bdi>{name}</bdi>
          </h3>
          <p className="text-sm text-muted">
            {[professional.current_title, professional.company].filter(Boolean).join(" · ")}
          </p>
        </div>
        {linkedIn && (
          <a
            href={linkedIn}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            aria-label={`${name} on LinkedIn`}
            className="-mr-2 inline-grid size-11 place-items-center self-start rounded-md text-muted hover:bg-sunken hover:text-ink"
          >
            <OpenIcon />
          </a>
        )}
      </div>
      <p className="mt-4 text-sm text-accent empty:hidden">{experience(professional)}</p>
      {professional.bio && <p className="mt-1.5 line-clamp-4 leading-6 text-muted">{professional.bio}</p>}
      {professional.skills.length > 0 && (
        <ul aria-label={`Skills of ${name}`} className="mt-4 flex flex-wrap gap-1.5">
          {professional.skills.map((skill, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and none moves
            <li key={place} className="inline-flex">
              <Chip category={skill.category}>
                {skill.name} <span className="shrink-0 tabular-nums">{skill.proficiency}/5</span>
              </Chip>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Takes the featured profiles, each with its skills. */
export function Professionals({ professionals }: { professionals: Professional[] }) {
  return (
    <Panel title="Featured Professionals">
      {professionals.length === 0 ? (
        <Empty>No featured professionals yet.</Empty>
      ) : (
        <ul className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
          {professionals.map((professional) => (
            <ProfessionalCard key={professional.id} professional={professional} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
