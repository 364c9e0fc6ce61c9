import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { readPassword } from "./ask-password.ts";

afterEach(() => void vi.unstubAllEnvs());

function fakeTerminal() {
  // With TERM=dumb, readline passes control characters on.
  vi.stubEnv("TERM", "xterm");
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => void modes.push(mode),
  });
  return { input, modes };
}

test("a piped password is the first line, unchanged except for its line break", async () => {
  const input = new PassThrough();
  input.end("  päss word \r\nsecond line\n");
  expect(await readPassword(input, () => {})).toBe("  päss word ");
});

test("a byte-order mark before a piped password is ignored", async () => {
  const input = new PassThrough();
  input.end("\uFEFFsecret\n");
  expect(await readPassword(input, () => {})).toBe("secret");
});

test("a piped password does not need a line break", async () => {
  const input = new PassThrough();
  input.end("secret");
  expect(await readPassword(input, () => {})).toBe("secret");
});

test.each(["", "\n"])("%j is rejected as a piped password", async (text) => {
  const input = new PassThrough();
  input.end(text);
  await expect(readPassword(input, () => {})).rejects.toThrow("No password");
});

test("the password prompt on a terminal hides the password and accepts backspace", async () => {
  const { input, modes } = fakeTerminal();
  const shown: string[] = [];
  const password = readPassword(input, (text) => {
    shown.push(text);
    // The terminal must not echo an answer that follows the prompt immediately.
    expect(modes[0]).toBe(true);
  });
  input.write("secreet\u007f\u007ft\r");
  expect(await password).toBe("secret");
  expect(shown.join("")).toBe("Password: \n");
  expect(modes).toEqual([true, false]);
});

test("Ctrl-C cancels the password prompt", async () => {
  const { input, modes } = fakeTerminal();
  const password = readPassword(input, () => {});
  input.write("sec\u0003");
  await expect(password).rejects.toThrow("No password");
  expect(modes.at(-1)).toBe(false);
});
