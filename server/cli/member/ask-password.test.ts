import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { readPassword } from "./ask-password.ts";

function fakeTerminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => void modes.push(mode),
  });
  return { input, modes };
}

describe("readPassword", () => {
  it("takes the first line as it is, without its end", async () => {
    const input = new PassThrough();
    input.end("  päss word \r\nsecond line\n");
    expect(await readPassword(input, () => {})).toBe("  päss word ");
  });

  it("takes a line that has no end", async () => {
    const input = new PassThrough();
    input.end("secret");
    expect(await readPassword(input, () => {})).toBe("secret");
  });

  it.each(["", "\n"])("refuses %j", async (text) => {
    const input = new PassThrough();
    input.end(text);
    await expect(readPassword(input, () => {})).rejects.toThrow("No password");
  });

  it("asks at a terminal, without showing what is typed, and understands the backspace", async () => {
    const { input, modes } = fakeTerminal();
    const shown: string[] = [];
    const password = readPassword(input, (text) => void shown.push(text));
    input.write("secreet\u007f\u007ft\r");
    expect(await password).toBe("secret");
    expect(shown.join("")).toBe("Password: \n");
    expect(modes).toEqual([true, false]);
  });

  it("ends at a terminal with Ctrl-C", async () => {
    const { input, modes } = fakeTerminal();
    const password = readPassword(input, () => {});
    input.write("sec\u0003");
    await expect(password).rejects.toThrow("No password");
    expect(modes.at(-1)).toBe(false);
  });
});
