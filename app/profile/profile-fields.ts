import { emptyValues, toColumns, toValues, type ValuesOf } from "../../common/data/form-values.ts";
import { trimInvisible } from "../../common/data/pasted-text.ts";
import { PROFILE_COLUMNS } from "../../common/data/profile-columns.ts";
import type { Profile } from "../../common/data/schema.ts";

const FORM = { columns: PROFILE_COLUMNS };

export type ProfileFields = ValuesOf<typeof PROFILE_COLUMNS>;
type ProfileRow = Pick<Profile, keyof ProfileFields>;

export const EMPTY_PROFILE: ProfileFields = emptyValues(FORM);

export const toFields = (profile: ProfileRow): ProfileFields => toValues(FORM, profile);

/** Returns the row to save (specification §7, call 11). */
export function toProfile(
  id: string,
  fields: ProfileFields,
  now: Date,
): ProfileRow & Pick<Profile, "id" | "updated_at"> {
  return {
    ...(toColumns(FORM, fields, "") as ProfileRow),
    // Phones add a blank after a word, which would make the username unusable as an address.
    username: trimInvisible(fields.username),
    id,
    updated_at: now.toISOString(),
  };
}
