import { type FormEvent, type ReactNode, useState } from "react";
import type { SkillFields } from "../data/profile.ts";
import { useSending } from "../ui/use-sending.ts";
import { type SkillDraft, SkillFieldset, toSkill } from "./skill-fields.tsx";

/** Keeps what was typed after a failure and says nothing (specification §8). */
export function SkillForm({
  legend,
  initial,
  store,
  onStored,
  children,
}: {
  legend: string;
  initial: SkillDraft;
  store(skill: SkillFields): Promise<boolean>;
  onStored(): void;
  children: ReactNode;
}) {
  const [draft, setDraft] = useState(initial);
  const { isSending, send } = useSending();

  function submit(event: FormEvent) {
    event.preventDefault();
    void send(async () => {
      if (!(await store(toSkill(draft)).catch(() => false))) return;
      setDraft(initial);
      onStored();
    });
  }

  return (
    <form onSubmit={submit} aria-busy={isSending}>
      <fieldset disabled={isSending} className="grid min-w-0 grid-cols-2 gap-x-4 gap-y-3">
        <legend className="sr-only">{legend}</legend>
        <SkillFieldset draft={draft} onChange={(change) => setDraft((now) => ({ ...now, ...change }))} />
        <div className="col-span-2 mt-1 flex gap-3">{children}</div>
      </fieldset>
    </form>
  );
}
