import { useEffect, useState } from "react";
import { readProfile, saveProfile } from "../data/profile.ts";
import { changedFields } from "../drafts/draft-store.ts";
import type { DraftedForm } from "../drafts/use-drafted-form.ts";
import { openAuth } from "../session/open-auth.ts";
import { useSending } from "../ui/use-sending.ts";
import { EMPTY_PROFILE, type ProfileFields, toFields, toProfile } from "./profile-fields.ts";

async function readFields(userId: string): Promise<ProfileFields> {
  const profile = await readProfile((await openAuth()).data, userId);
  return profile ? toFields(profile) : EMPTY_PROFILE;
}

export function useProfile(userId: string, form: DraftedForm<ProfileFields>) {
  const [state, setState] = useState<"reading" | "read" | "failed">("reading");
  const { isSending: isSaving, send } = useSending();
  const { rebase } = form;

  useEffect(() => {
    readFields(userId).then(
      (fields) => {
        rebase(fields);
        setState("read");
      },
      () => setState("failed"),
    );
  }, [userId, rebase]);

  async function store(): Promise<void> {
    // Fields that could not be read are not empty: storing them as they show would wipe them out.
    const values =
      state === "read"
        ? form.values
        : { ...(await readFields(userId)), ...changedFields(EMPTY_PROFILE, form.values) };
    const profile = toProfile(userId, values, new Date());
    const { data } = await openAuth();
    await saveProfile(data, profile);
    form.clear();
    form.rebase(toFields(profile));
    setState("read");
    window.alert("Profile updated successfully!");
  }

  return {
    /** Whether the first read is over, well or not (specification §8: a failed read shows nothing). */
    isSettled: state !== "reading",
    isSaving,
    save: () => send(store),
  };
}
