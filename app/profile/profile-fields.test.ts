import { expect, test } from "vitest";
import { EMPTY_PROFILE, toFields, toProfile } from "./profile-fields.ts";

const NOW = new Date("2026-02-03T04:05:06Z");
const years = (typed: string) =>
  toProfile("id", { ...EMPTY_PROFILE, years_experience: typed }, NOW).years_experience;
const skills = (typed: string) =>
  toProfile("id", { ...EMPTY_PROFILE, featured_skills: typed }, NOW).featured_skills;

test.each([
  ["", null],
  ["7", 7],
  ["0", 0],
  ["7.9", 7],
  ["1e3", 1],
  ["seven", null],
])("the years of experience %j are saved as %j", (typed, stored) => {
  expect(years(typed)).toBe(stored);
});

test.each([
  ["", []],
  [" , ,", []],
  ["Python", ["Python"]],
  [" Python ,  SQL,AWS ", ["Python", "SQL", "AWS"]],
  ["a b,c", ["a b", "c"]],
])("the featured skills %j are saved as %j", (typed, stored) => {
  expect(skills(typed)).toEqual(stored);
});

test("toProfile returns all form values, the member's id and the time of the update", () => {
  const fields = { ...EMPTY_PROFILE, full_name: "Ada", featured: true };
  expect(toProfile("id", fields, NOW)).toEqual({
    id: "id",
    username: "",
    full_name: "Ada",
    bio: "",
    avatar_url: "",
    current_title: "",
    company: "",
    years_experience: null,
    featured: true,
    linkedin_url: "",
    featured_skills: [],
    updated_at: "2026-02-03T04:05:06.000Z",
  });
});

test("toFields returns the stored values, with empty strings for null", () => {
  const fields = { ...EMPTY_PROFILE, username: "ada", years_experience: "0", featured_skills: "a, b" };
  expect(toFields(toProfile("id", fields, NOW))).toEqual(fields);
  const unset = {
    id: "id",
    username: null,
    full_name: null,
    bio: null,
    avatar_url: null,
    current_title: null,
    company: null,
    years_experience: null,
    featured: false,
    linkedin_url: null,
    featured_skills: [],
  };
  expect(toFields(unset)).toEqual(EMPTY_PROFILE);
});

test("a username loses blanks and invisible characters at its ends", () => {
  expect(toProfile("id", { ...EMPTY_PROFILE, username: "\u200b ada.l \u00a0" }, NOW).username).toBe("ada.l");
});
