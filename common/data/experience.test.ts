import { expect, test } from "vitest";
import { experience, position, years } from "./experience.ts";

test("experience has the years and the title, and is empty if the years are unknown", () => {
  expect(experience({ years_experience: 5, current_title: "Data Engineer" })).toBe(
    "5+ years in data engineer",
  );
  expect(experience({ years_experience: 0, current_title: null })).toBe("0+ years");
  expect(experience({ years_experience: 5, current_title: "" })).toBe("5+ years");
  expect(experience({ years_experience: null, current_title: "Data Engineer" })).toBe("");
});

test("the word year is singular only for one year", () => {
  expect([0, 1, 2].map(years)).toEqual(["0 years", "1 year", "2 years"]);
});

test("a position is the title and the company, or the one that is known", () => {
  expect(position({ current_title: "Engineer", company: "Acme" })).toBe("Engineer · Acme");
  expect(position({ current_title: null, company: "Acme" })).toBe("Acme");
  expect(position({ current_title: "Engineer", company: "" })).toBe("Engineer");
  expect(position({ current_title: null, company: null })).toBe("");
});
