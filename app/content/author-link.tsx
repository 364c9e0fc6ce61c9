import { personPath } from "../data/addresses.ts";
import { authorName } from "../data/author.ts";
import type { Author } from "../data/schema.ts";
import { PersonLink } from "../ui/person-link.tsx";

/** `id` leads to the author's page, too, where the end of their address is not known. */
export function AuthorLink({ author, id }: { author: Author; id: string }) {
  return <PersonLink to={personPath(author?.segment ?? id)} name={authorName(author)} />;
}
