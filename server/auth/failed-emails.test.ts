import { expect, test } from "vitest";
import { createFailedEmails } from "./failed-emails.ts";

const HOUR_MS = 3_600_000;

test("emails that could not be sent are a problem for a day", () => {
  let now = Date.UTC(2026, 0, 1);
  const emails = createFailedEmails(() => now);
  emails.handled(true);
  expect(emails.finding()).toEqual({
    topic: "emails",
    isProblem: false,
    text: "No email has failed in the last 24 hours.",
  });
  emails.handled(false);
  now += HOUR_MS;
  emails.handled(false);
  emails.handled(true);
  expect(emails.finding()).toEqual({
    topic: "emails",
    isProblem: true,
    text: "2 emails could not be sent, the last at 2026-01-01T01:00:00.000Z. The log has the reasons (mail.failed).",
  });
  now += 24 * HOUR_MS;
  expect(emails.finding()).toMatchObject({ isProblem: true });
  now += 1;
  expect(emails.finding()).toMatchObject({ isProblem: false });
  emails.handled(false);
  expect(emails.finding().text).toMatch(/^1 email could not be sent/);
});

test("a process that has just started has no failed emails", () => {
  expect(createFailedEmails(() => 0).finding()).toMatchObject({ isProblem: false });
});
