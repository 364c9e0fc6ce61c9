import { toQuery } from "../list/query.ts";

/** The directory's search for the people who share a skill. */
export const peopleWithSkill = (name: string) => `/people${toQuery({ q: name.trim() })}`;
