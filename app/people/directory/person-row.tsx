import { memo } from "react";
import { personPath } from "../../../common/data/addresses.ts";
import { authorName } from "../../../common/data/author.ts";
import { experience, position } from "../../../common/data/experience.ts";
import type { ListedPerson } from "../../../common/data/people-reads.ts";
import { KINDS } from "../../../common/kinds/index.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { PersonLink } from "../../ui/person-link.tsx";
import { SkillChips } from "../skill-chips.tsx";

/** The database stops counting a person's items of one kind here, so this count means “100 or more”. */
const COUNT_LIMIT = 100;

/** Memoised, so that adding a page to the list does not render the existing rows again. */
export const PersonRow = memo(function PersonRow({ person }: { person: ListedPerson }) {
  const name = authorName(person);
  return (
    <article
      id={person.id}
      className="grid grid-cols-portrait gap-x-4 gap-y-3 border-t border-rule py-5 lg:grid-cols-person lg:gap-x-10"
    >
      <div className="lg:flex lg:items-start lg:gap-4">
        <Avatar name={name} address={person.avatar_url} />
        <p className="max-lg:hidden text-sm text-muted">
          <Published published={person.published} />
        </p>
      </div>
      <div className="min-w-0">
        <h2 className="font-display text-xl font-bold tracking-tight">
          <span className="card-title">
            <PersonLink to={personPath(person.slug)} name={name} />
          </span>
        </h2>
        <p dir="auto" className="text-muted empty:hidden">
          {position(person)}
        </p>
        <p dir="auto" className="empty:hidden">
          {experience(person)}
        </p>
        <p className="text-sm text-muted lg:hidden">
          <Published published={person.published} />
        </p>
      </div>
      {person.skills.length > 0 && (
        <div className="max-lg:col-span-2 max-sm:[&_.level]:hidden">
          <SkillChips label={`Skills of ${name}`} skills={person.skills} />
        </div>
      )}
    </article>
  );
});

function Published({ published }: { published: Record<string, number> }) {
  const counts = KINDS.flatMap(({ table, itemName }) => {
    const count = published[table] ?? 0;
    if (count === 0) return [];
    const number = count === COUNT_LIMIT ? `${count}+` : count;
    return `${number} ${itemName.toLowerCase()}${count === 1 ? "" : "s"}`;
  });
  return counts.map((text) => (
    <span key={text} className="me-3 inline-block lg:block">
      {text}
    </span>
  ));
}
