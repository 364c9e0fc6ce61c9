import { quoted, RestError } from "../rest-error.ts";

export type Shape = "array" | "object";

export const OBJECT_TYPE = "application/vnd.pgrst.object+json";

const SHAPES: Record<string, Shape> = {
  "*/*": "array",
  "application/*": "array",
  "application/json": "array",
  "application/vnd.pgrst.array+json": "array",
  [OBJECT_TYPE]: "object",
};

export function parseAccept(header: string | undefined): Shape {
  for (const part of (header ?? "*/*").split(",")) {
    const [type = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    if (Object.hasOwn(SHAPES, type) && !parameters.includes("nulls=stripped")) return SHAPES[type] ?? "array";
  }
  const message = `None of these media types are available: ${quoted(header ?? "")}`;
  throw new RestError(406, "PGRST107", message);
}
