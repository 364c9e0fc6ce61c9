import { personPath } from "../data/addresses.ts";
import { authorName } from "../data/author.ts";
import type { Writer } from "../data/schema.ts";
import { PersonLink } from "../ui/person-link.tsx";

export function AuthorLink({ author }: { author: Writer }) {
  return <PersonLink to={personPath(author.segment)} name={authorName(author)} />;
}
