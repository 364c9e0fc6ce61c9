import { expect, test } from "vitest";
import { type Form, type FormEvent, hasEdits, reduceForm, startForm } from "./form.ts";

const EMPTY = { title: "", content: "" };
type Values = typeof EMPTY;

const run = (form: Form<Values>, ...events: FormEvent<Values>[]) => events.reduce(reduceForm<Values>, form);
const typed = (...parts: Partial<Values>[]) =>
  run(startForm(EMPTY), ...parts.map((part) => ({ type: "changed", part }) as const));
const upload = (id: string) => ({ id, name: id, progress: null });
const started = (...ids: string[]) => ({ type: "uploadsStarted", uploads: ids.map(upload) }) as const;
const SUBMIT = { type: "submitted" } as const;

test("a form has unsent text once a value differs from what it started with", () => {
  expect(hasEdits(startForm(EMPTY))).toBe(false);
  expect(hasEdits(typed({ title: "One" }))).toBe(true);
  expect(hasEdits(typed({ title: "One" }, { title: "" }))).toBe(false);
});

test("a failed save keeps the text and the id of the new row, and the next attempt sends both again", () => {
  const form = typed({ title: "One" });
  const failed = run(form, SUBMIT, { type: "creating" }, { type: "failed", formId: form.id });
  expect(failed).toMatchObject({
    values: { title: "One" },
    newRowId: form.newRowId,
    status: { is: "failed" },
  });
  expect(failed.sent).toEqual(form.values);
  const again = run(failed, { type: "changed", part: { content: "More" } }, SUBMIT);
  expect(again).toMatchObject({
    newRowId: form.newRowId,
    status: { is: "sending" },
    values: { content: "More" },
  });
});

test("a save empties the form and gives it new ids, so that the next row can't overwrite the saved one", () => {
  const form = typed({ title: "One" });
  const saved = run(form, SUBMIT, { type: "saved", formId: form.id, base: EMPTY });
  expect(saved).toMatchObject({ values: EMPTY, rowId: null, status: { is: "editing" } });
  expect(saved.sent).toBeUndefined();
  expect(new Set([form.id, form.newRowId, saved.id, saved.newRowId]).size).toBe(4);
});

test("a form with running uploads is not sent, and says so until the last upload has ended", () => {
  const waiting = run(typed({ title: "One" }), started("a", "b"), SUBMIT);
  expect(waiting.status).toEqual({ is: "waiting" });
  const one = run(waiting, { type: "uploadEnded", id: "a" });
  expect(one.status).toEqual({ is: "waiting" });
  const none = run(one, { type: "uploadEnded", id: "b" });
  expect(none.status).toEqual({ is: "editing" });
  expect(run(none, SUBMIT).status).toEqual({ is: "sending" });
});

test("an upload's progress and failure change only the upload, and the next upload removes the message", () => {
  const form = run(typed({ title: "One" }), started("a", "b"), {
    type: "uploadProgressed",
    id: "b",
    progress: 0.5,
  });
  expect(form.uploads).toEqual([upload("a"), { ...upload("b"), progress: 0.5 }]);
  const failed = run(form, { type: "uploadEnded", id: "a", problem: "Too large." });
  expect(failed).toMatchObject({ uploadProblem: "Too large.", values: { title: "One" } });
  expect(failed.uploads.map(({ id }) => id)).toEqual(["b"]);
  expect(run(failed, started("c")).uploadProblem).toBe("");
});

test("a form that is being sent ignores a second submit", () => {
  const sending = run(typed({ title: "One" }), SUBMIT);
  expect(run(sending, SUBMIT)).toBe(sending);
});

test.each<(formId: string) => FormEvent<Values>>([
  (formId) => ({ type: "saved", formId, base: EMPTY }),
  (formId) => ({ type: "failed", formId }),
  (formId) => ({ type: "conflicted", formId, rowId: "1", newer: null }),
])("a late result of a save doesn't change the form once it shows another row: %o", (late) => {
  const sending = run(typed({ title: "One" }), SUBMIT);
  const other = run(
    sending,
    { type: "opened", rowId: "2", values: { title: "Two", content: "" } },
    { type: "changed", part: { content: "Typed" } },
  );
  expect(run(other, late(sending.id))).toBe(other);
});

test("opening a row replaces the text, ends a conflict and starts a new draft", () => {
  const mine = typed({ title: "Mine" });
  const conflict = run(mine, SUBMIT, { type: "conflicted", formId: mine.id, rowId: "1", newer: EMPTY });
  expect(conflict).toMatchObject({ status: { is: "conflict", rowId: "1" }, values: { title: "Mine" } });
  expect(run(conflict, { type: "changed", part: { title: "My" } }).status.is).toBe("conflict");
  const opened = run(conflict, { type: "opened", rowId: "1", values: { title: "Theirs", content: "" } });
  expect(opened).toMatchObject({ rowId: "1", values: { title: "Theirs" }, status: { is: "editing" } });
  expect(opened.id).not.toBe(conflict.id);
  expect(hasEdits(opened)).toBe(false);
});

test("an earlier version fills in the form as an edit of the same row", () => {
  const opened = run(startForm(EMPTY), { type: "opened", rowId: "1", values: { title: "Now", content: "" } });
  const filled = run(opened, { type: "filledIn", values: { title: "Before", content: "" } });
  expect(filled).toMatchObject({ rowId: "1", base: { title: "Now" }, values: { title: "Before" } });
  expect(hasEdits(filled)).toBe(true);
});

test("a restored draft of a new row keeps its row's id and the values sent, but gets a new draft id", () => {
  const draft = {
    id: "draft",
    rowId: null,
    newRowId: "row",
    values: { ...EMPTY, title: "Kept" },
    base: EMPTY,
    sent: EMPTY,
  };
  const form = run(startForm(EMPTY), { type: "restored", draft, empty: EMPTY });
  expect(form).toMatchObject({ newRowId: "row", values: { title: "Kept" }, sent: EMPTY });
  expect(form.id).not.toBe("draft");
});

test("new stored values replace all fields that the member hasn't edited", () => {
  const form = run(typed({ title: "Mine" }), {
    type: "rebased",
    base: { title: "Stored", content: "Stored" },
  });
  expect(form.values).toEqual({ title: "Mine", content: "Stored" });
  expect(run(form, { type: "rebased", base: { title: "Newer", content: "Newer" } }).values).toEqual({
    title: "Mine",
    content: "Newer",
  });
});
