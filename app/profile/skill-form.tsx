import { type FormEvent, type ReactNode, useState } from "react";
import type { SkillFields } from "../data/profile.ts";
import { useKeptFocus } from "../ui/use-kept-focus.ts";
import { type SkillDraft, SkillFieldset, toSkill } from "./skill-fields.tsx";

/**
 * Takes what the form begins with, how its skill is stored, and its buttons. Stores one skill at a time; after a
 * failure it holds what was typed and says nothing (specification §8), after a success `onStored` follows.
 */
export function SkillForm({
  initial,
  store,
  onStored,
  children,
}: {
  initial: SkillDraft;
  store(skill: SkillFields): Promise<boolean>;
  onStored(): void;
  children: ReactNode;
}) {
  const [draft, setDraft] = useState(initial);
  const [isSaving, setIsSaving] = useState(false);
  const holdFocus = useKeptFocus(isSaving);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSaving) return;
    holdFocus();
    setIsSaving(true);
    const isStored = await store(toSkill(draft)).catch(() => false);
    setIsSaving(false);
    if (!isStored) return;
    setDraft(initial);
    onStored();
  }

  return (
    <form onSubmit={submit} aria-busy={isSaving}>
      <fieldset disabled={isSaving} className="grid min-w-0 grid-cols-2 gap-x-4 gap-y-3">
        <SkillFieldset draft={draft} onChange={(change) => setDraft((now) => ({ ...now, ...change }))} />
        <div className="col-span-2 mt-1 flex gap-3">{children}</div>
      </fieldset>
    </form>
  );
}
