/**
 * Offsets from UTC in hours, by abbreviation. Ambiguous abbreviations have the meaning that is most likely in blog
 * posts: `CST` is American, and `IST` is Indian.
 */
const HOURS: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  met: 1,
  mest: 2,
  mez: 1,
  mesz: 2,
  eet: 2,
  eest: 3,
  sast: 2,
  wat: 1,
  cat: 2,
  eat: 3,
  msk: 3,
  trt: 3,
  idt: 3,
  gst: 4,
  pkt: 5,
  ist: 5.5,
  npt: 5.75,
  ict: 7,
  wib: 7,
  sgt: 8,
  hkt: 8,
  pht: 8,
  awst: 8,
  jst: 9,
  kst: 9,
  acst: 9.5,
  acdt: 10.5,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  brt: -3,
  art: -3,
  clt: -4,
  ast: -4,
  adt: -3,
  nst: -3.5,
  ndt: -2.5,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
};
const OFFSET = /^(?:gmt|utc?)?([+-])(\d{1,2}):?(\d{2})?$/;

/**
 * Returns the offset of a zone such as `CET`, `GMT+1`, `-0500` or `Europe/Berlin` as `+hh:mm`, or null if the zone is
 * unknown. `local` is the local date and time in ISO 8601, because a place's offset depends on the season.
 */
export function offsetOf(zone: string, local: string): string | null {
  const name = zone.toLowerCase();
  const [, sign, hours = "", minutes = "00"] = OFFSET.exec(name) ?? [];
  if (sign) return `${sign}${hours.padStart(2, "0")}:${minutes}`;
  const known = HOURS[name];
  if (known !== undefined) return formatOffset(known * 60);
  return zone.includes("/") ? offsetOfPlace(zone, local) : null;
}

function formatOffset(minutes: number): string {
  const twoDigits = (part: number) => String(part).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

function offsetOfPlace(timeZone: string, local: string): string | null {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
    const parts = format.formatToParts(new Date(`${local}Z`));
    const name = parts.find(({ type }) => type === "timeZoneName")?.value.replace("GMT", "");
    return name === "" ? "+00:00" : (name ?? null);
  } catch {
    return null;
  }
}
