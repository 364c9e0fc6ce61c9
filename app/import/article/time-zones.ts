/**
 * Offsets from UTC in minutes, by abbreviation. `Intl` knows places, but not these. Ambiguous abbreviations have the
 * meaning that is most likely in blog posts: `CST` is American, and `IST` is Indian.
 */
const ABBREVIATIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "-10": "hst",
    "-9": "akst",
    "-8": "akdt pst",
    "-7": "mst pdt",
    "-6": "cst mdt",
    "-5": "est cdt",
    "-4": "ast clt edt",
    "-3.5": "nst",
    "-3": "adt art brt",
    "-2.5": "ndt",
    "0": "z ut utc gmt wet",
    "1": "bst cet met mez wat west",
    "2": "cat cest eet mest mesz sast",
    "3": "eat eest idt msk trt",
    "4": "gst",
    "5": "pkt",
    "5.5": "ist",
    "5.75": "npt",
    "7": "ict wib",
    "8": "awst hkt pht sgt",
    "9": "jst kst",
    "9.5": "acst",
    "10": "aest",
    "10.5": "acdt",
    "11": "aedt",
    "12": "nzst",
    "13": "nzdt",
  }).flatMap(([hours, names]) => names.split(" ").map((name) => [name, Number(hours) * 60] as const)),
);
const OFFSET = /^(?:gmt|utc?)?([+-])(\d{1,2}):?(\d{2})?$/;
const DAY_MS = 86_400_000;

/**
 * Returns the offset of a zone such as `CET`, `GMT+1`, `-0500` or `Europe/Berlin` as `+hh:mm`, or null if the zone is
 * unknown. `local` is the local date and time in ISO 8601, because a place's offset depends on the season.
 */
export function offsetOf(zone: string, local: string): string | null {
  const name = zone.toLowerCase();
  const [, sign, hours = "", minutes = "00"] = OFFSET.exec(name) ?? [];
  if (sign) return `${sign}${hours.padStart(2, "0")}:${minutes}`;
  const offset = ABBREVIATIONS.get(name) ?? offsetOfPlace(zone, Date.parse(`${local}Z`));
  return offset === null ? null : formatOffset(offset);
}

function formatOffset(minutes: number): string {
  const twoDigits = (part: number) => String(part).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/**
 * Returns a place's offset in minutes. Where the clock is turned back, a time that occurs twice is the first one. Where
 * it is turned forward, a time that is skipped keeps the earlier offset. Temporal does the same ("compatible").
 */
function offsetOfPlace(timeZone: string, local: number): number | null {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
    const offsetAt = (time: number) => offsetIn(format, time);
    const [before, after] = [offsetAt(local - DAY_MS), offsetAt(local + DAY_MS)];
    const fits = (offset: number) => offsetAt(local - offset * 60_000) === offset;
    return !fits(before) && fits(after) ? after : before;
  } catch {
    return null;
  }
}

function offsetIn(format: Intl.DateTimeFormat, time: number): number {
  const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
}
