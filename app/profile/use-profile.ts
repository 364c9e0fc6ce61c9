import { useEffect, useEffectEvent, useState } from "react";
import { storedName } from "../../common/data/author.ts";
import { readProfile, saveProfile } from "../../common/data/profile.ts";
import { changedFields } from "../drafts/draft-store.ts";
import type { DraftedForm } from "../drafts/use-drafted-form.ts";
import { useOperation } from "../operation/use-operation.ts";
import { memberData } from "../session/member-data.ts";
import { forgetNameless, rememberNameless } from "../session/storage.ts";
import { announce } from "../ui/announce.tsx";
import { EMPTY_PROFILE, type ProfileFields, toFields, toProfile } from "./profile-fields.ts";

const SAVED = "Profile updated successfully!";

async function readFields(userId: string): Promise<ProfileFields> {
  const profile = await readProfile(await memberData(), userId);
  return profile ? toFields(profile) : EMPTY_PROFILE;
}

/** The forms of new items ask a member without a name for one. */
function keepWhetherNamed(userId: string, profile: ProfileFields): void {
  if (storedName(profile)) forgetNameless();
  else rememberNameless(userId);
}

export function useProfile(userId: string, form: DraftedForm<ProfileFields>, onSaved: () => void) {
  /** Whether the first read has finished or failed. A failure is not shown (specification §8). */
  const [isSettled, setIsSettled] = useState(false);
  const { run } = useOperation();
  const { rebase } = form;

  const { run: runRead, cancel: cancelRead } = useOperation([], "replace");
  const readFirst = useEffectEvent(async () => {
    const result = await runRead(() => readFields(userId));
    if (result.is === "superseded") return;
    if (result.is === "done") {
      keepWhetherNamed(userId, result.value);
      rebase(result.value);
    }
    setIsSettled(true);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each member has a profile of their own
  useEffect(() => void readFirst(), [userId]);

  async function store(): Promise<void> {
    // Read the profile again and change only the edited fields: another tab may have saved other fields since, or the
    // first read may have failed.
    const changed = changedFields(form.base ?? EMPTY_PROFILE, form.values);
    const profile = toProfile(userId, { ...(await readFields(userId)), ...changed }, new Date());
    await saveProfile(await memberData(), profile);
    keepWhetherNamed(userId, toFields(profile));
    // The first read would show values that are older than the saved ones.
    cancelRead();
    setIsSettled(true);
    form.restart(toFields(profile));
    onSaved();
    window.alert(SAVED);
    // Not all screen readers read a native alert.
    announce(SAVED);
  }

  async function save(): Promise<void> {
    form.send({ type: "submitted" });
    // The portrait is still uploading. The form says so.
    if (form.uploads.length > 0) return;
    const result = await run(store);
    if (result.is === "failed") form.send({ type: "failed", formId: form.id });
  }

  return { isSettled, save };
}
