import { useCallback, useEffect, useMemo, useState } from "react";
import { v4 as newId } from "uuid";
import { useListener } from "../ui/use-listener.ts";
import { changedFields, type Draft, draftStore } from "./draft-store.ts";

type Form<Values> = Omit<Draft<Values>, "keptAt">;

export type DraftedForm<Values extends object> = ReturnType<typeof useDraftedForm<Values>>;

export function useDraftedForm<Values extends object>(userId: string, page: string, empty: Values) {
  const store = useMemo(() => draftStore(userId, page, empty), [userId, page, empty]);
  const [form, setForm] = useState<Form<Values>>(() => freshForm(empty));
  const [kept, setKept] = useState(() => store.all());
  const isTouched = form.base === null || Object.keys(changedFields(form.base, form.values)).length > 0;
  const offered = kept.find(({ id }) => id !== form.id);

  useEffect(() => {
    if (isTouched) store.keep(form);
    else store.drop(form.id);
  }, [store, form, isTouched]);

  // Another tab may have sent or discarded what is offered here. What it is typing at the moment is not offered.
  useListener("storage", () => {
    const still = new Set(store.all().map(({ id }) => id));
    setKept((known) => known.filter(({ id }) => still.has(id)));
  });

  function replace(next: Form<Values>) {
    setForm(next);
    setKept(store.all());
  }

  const rebase = useCallback((base: Values) => setForm((now) => rebased(now, base)), []);

  return {
    target: form.target,
    values: form.values,
    base: form.base,
    offered,
    change: (part: Partial<Values>) => setForm((now) => ({ ...now, values: { ...now.values, ...part } })),
    /** What stood in the form before stays kept, and is offered. */
    open: (target: string, values: Values) => replace({ id: newId(), target, values, base: values }),
    clear() {
      store.drop(form.id);
      replace(freshForm(empty));
    },
    /** The form should have begun with `base`; what the member has changed stays as they changed it. */
    rebase,
    restore() {
      if (!offered) return;
      const { keptAt, ...kept } = offered;
      store.drop(kept.id);
      // Another tab may still be writing under its old id.
      const draft = { ...kept, id: newId() };
      const base = form.target === null ? form.base : empty;
      replace(draft.target === null && base ? rebased(draft, base) : draft);
    },
    discard() {
      if (!offered) return;
      store.drop(offered.id);
      setKept(store.all());
    },
  };
}

/** What was changed since the form began stays as it was changed. */
function rebased<Values extends object>(form: Form<Values>, base: Values): Form<Values> {
  return { ...form, base, values: { ...base, ...changedFields(form.base ?? base, form.values) } };
}

function freshForm<Values>(empty: Values): Form<Values> {
  return { id: newId(), target: null, values: empty, base: empty };
}
