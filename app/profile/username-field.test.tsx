import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { UsernameField } from "./username-field.tsx";

test("a phone neither capitalises nor corrects a username", () => {
  const markup = renderToStaticMarkup(<UsernameField userId="" stored="" value="ada" readOnly />);
  expect(markup).toMatch(/<input[^>]* autoCapitalize="none"/);
  expect(markup).toMatch(/<input[^>]* spellCheck="false"/);
});
