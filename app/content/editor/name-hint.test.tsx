import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { forgetNameless, rememberNameless } from "../../session/storage.ts";
import { NameHint } from "./name-hint.tsx";

afterEach(() => vi.unstubAllGlobals());

function useMemoryAsStorage(): void {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
}

const hintFor = (userId: string) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <NameHint userId={userId} />
    </MemoryRouter>,
  );

test("the first rendering asks for a name only if the member has none", () => {
  useMemoryAsStorage();
  expect(hintFor("ada")).toBe("");
  rememberNameless("ada");
  expect(hintFor("ada")).toContain("Readers can&#x27;t see your name yet.");
  expect(hintFor("grace")).toBe("");
  forgetNameless();
  expect(hintFor("ada")).toBe("");
});

test("a browser without storage shows no request for a name", () => {
  vi.stubGlobal("localStorage", undefined);
  rememberNameless("ada");
  forgetNameless();
  expect(hintFor("ada")).toBe("");
});
