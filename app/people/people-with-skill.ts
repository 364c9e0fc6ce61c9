import { formatQuery } from "../list/search-params.ts";

/** Returns the URL of the directory's search for people who have a skill. */
export const peopleWithSkill = (name: string) => `/people${formatQuery({ q: name.trim() })}`;
