import { type FormEvent, type ReactNode, useEffect, useReducer } from "react";
import { toColumns, toValues, type ValuesOf } from "../../common/data/form-values.ts";
import type { SkillFields } from "../../common/data/profile.ts";
import { SKILL_COLUMNS } from "../../common/data/profile-columns.ts";
import { areEqual } from "../drafts/draft-store.ts";
import { reduceForm, startForm } from "../drafts/form.ts";
import { useOperation } from "../operation/use-operation.ts";
import { fieldOf, Select, TextField } from "../ui/field.tsx";
import { Fieldset } from "../ui/fieldset.tsx";
import { Saving } from "../ui/saving.tsx";

/** The accessible name of a skill without a name (specification §4 accepts one). */
export const UNNAMED_SKILL = "Skill without a name";

export const NEW_SKILL: SkillFields = { category: "python", name: "", proficiency: 3, years_experience: 1 };

const FORM = { columns: SKILL_COLUMNS };
type SkillValues = ValuesOf<typeof SKILL_COLUMNS>;

interface SkillFormProps {
  legend: string;
  skill: SkillFields;
  /** `newId` is the same in every attempt to add the skill, so that a repeated one adds it only once. */
  store(skill: SkillFields, newId: string): Promise<void>;
  onStored(skill: SkillFields): void;
  /** Called with 1 when the form starts to differ from what is stored, and with -1 when it no longer does. Stable. */
  onTyped(change: number): void;
  /** Whether members may add several skills in a row. If so, the focus returns to the name field after each skill. */
  isRepeated?: boolean;
  children: ReactNode;
}

export function SkillForm({ legend, skill, store, onStored, onTyped, isRepeated, children }: SkillFormProps) {
  const { isPending, run } = useOperation();
  const [form, send] = useReducer(reduceForm<SkillValues>, toValues(FORM, skill), startForm<SkillValues>);
  const { id: formId, values, newRowId } = form;
  const field = fieldOf(values, (part) => send({ type: "changed", part }), SKILL_COLUMNS);
  const isEdited = !areEqual(toValues(FORM, skill), values);
  useEffect(() => {
    if (!isEdited) return undefined;
    onTyped(1);
    return () => onTyped(-1);
  }, [isEdited, onTyped]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // Focus the name field first: afterwards, `run` restores the focus to the element that has it now.
    const name = event.currentTarget.elements.namedItem("name");
    if (isRepeated && name instanceof HTMLElement) name.focus();
    void save();
  }

  async function save() {
    const stored = toColumns(FORM, values, "") as unknown as SkillFields;
    const result = await run(() => {
      send({ type: "submitted" });
      return store(stored, newRowId);
    });
    if (result.is === "failed") send({ type: "failed", formId });
    if (result.is !== "done") return;
    send({ type: "saved", formId, base: toValues(FORM, skill) });
    onStored(stored);
  }

  return (
    <form onSubmit={submit} aria-busy={isPending} data-unsaved={isEdited || undefined}>
      <Fieldset isBusy={isPending} className="grid min-w-0 grid-cols-2 gap-x-4 gap-y-3">
        <legend className="sr-only">{legend}</legend>
        <Select label="Category" {...field("category")} />
        <TextField label="Skill Name" autoComplete="off" {...field("name")} />
        <TextField label="Proficiency (1-5)" {...field("proficiency")} />
        <TextField label="Years of Experience" {...field("years_experience")} />
        <div className="col-span-2 mt-1 flex items-center gap-3">
          {children}
          <Saving isSaving={isPending} />
        </div>
      </Fieldset>
    </form>
  );
}
