import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Select } from "./field.tsx";

const OPTIONS = { sql: "SQL", aws: "AWS" };

// https://html.spec.whatwg.org/multipage/form-elements.html#placeholder-label-option
test("a select is required only if its first option has no value", () => {
  const withPlaceholder = renderToStaticMarkup(
    <Select label="Category" options={OPTIONS} placeholder="Choose one" required />,
  );
  expect(withPlaceholder).toMatch(/<select[^>]* required[^>]*><option value="">Choose one<\/option>/);
  const withoutPlaceholder = renderToStaticMarkup(<Select label="Category" options={OPTIONS} required />);
  expect(withoutPlaceholder).toMatch(/<select[^>]*><option value="sql">SQL<\/option>/);
  expect(withoutPlaceholder).not.toContain("required");
});
