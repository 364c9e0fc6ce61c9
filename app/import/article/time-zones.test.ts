import { expect, test } from "vitest";
import { offsetOf } from "./time-zones.ts";

const JANUARY = "2016-01-15T12:00:00";
const JULY = "2016-07-15T12:00:00";

/** Abbreviations with a place that uses them: in January, and in July. */
const PLACES: [place: string, january: string, july: string][] = [
  ["Pacific/Honolulu", "hst", ""],
  ["America/Anchorage", "akst", "akdt"],
  ["America/Los_Angeles", "pst", "pdt"],
  ["America/Denver", "mst", "mdt"],
  ["America/Chicago", "cst", "cdt"],
  ["America/New_York", "est", "edt"],
  ["America/Halifax", "ast", "adt"],
  ["America/St_Johns", "nst", "ndt"],
  ["America/Punta_Arenas", "", "clt"],
  ["America/Buenos_Aires", "art", "art"],
  ["America/Fortaleza", "brt", "brt"],
  ["Etc/UTC", "z ut utc gmt", "z ut utc gmt"],
  ["Europe/London", "gmt", "bst"],
  ["Europe/Lisbon", "wet", "west"],
  ["Europe/Berlin", "cet met mez", "cest mest mesz"],
  ["Africa/Lagos", "wat", "wat"],
  ["Africa/Maputo", "cat", "cat"],
  ["Africa/Johannesburg", "sast", "sast"],
  ["Europe/Athens", "eet", "eest"],
  ["Africa/Nairobi", "eat", "eat"],
  ["Asia/Jerusalem", "", "idt"],
  ["Europe/Moscow", "msk", "msk"],
  ["Europe/Istanbul", "eet", "trt"],
  ["Asia/Dubai", "gst", "gst"],
  ["Asia/Karachi", "pkt", "pkt"],
  ["Asia/Kolkata", "ist", "ist"],
  ["Asia/Kathmandu", "npt", "npt"],
  ["Asia/Bangkok", "ict", "ict"],
  ["Asia/Jakarta", "wib", "wib"],
  ["Australia/Perth", "awst", "awst"],
  ["Asia/Hong_Kong", "hkt", "hkt"],
  ["Asia/Manila", "pht", "pht"],
  ["Asia/Singapore", "sgt", "sgt"],
  ["Asia/Tokyo", "jst", "jst"],
  ["Asia/Seoul", "kst", "kst"],
  ["Australia/Adelaide", "acdt", "acst"],
  ["Australia/Sydney", "aedt", "aest"],
  ["Pacific/Auckland", "nzdt", "nzst"],
];

test.each(PLACES)(
  "the abbreviations of %s have its offsets in January (%s) and July (%s)",
  (place, january, july) => {
    for (const [local, names] of [
      [JANUARY, january],
      [JULY, july],
    ] as const) {
      const expected = offsetOf(place, local);
      expect(expected).toMatch(/^[+-]\d\d:\d\d$/);
      for (const name of names.split(" ").filter(Boolean)) {
        expect(offsetOf(name, local), name).toBe(expected);
        expect(offsetOf(name.toUpperCase(), local), name).toBe(expected);
      }
    }
  },
);

test.each([
  ["+1", "+01:00"],
  ["-11", "-11:00"],
  ["+0530", "+05:30"],
  ["-03:30", "-03:30"],
  ["GMT+2", "+02:00"],
  ["utc-5", "-05:00"],
  ["UT+0100", "+01:00"],
  ["EST5EDT", "-05:00"],
  ["Asia/Kathmandu", "+05:45"],
  ["America/St_Johns", "-03:30"],
])("the zone %s has the offset %s", (zone, offset) => {
  expect(offsetOf(zone, JANUARY)).toBe(offset);
});

test.each(["xyz", "Nowhere/City", "gmt+", "+1:2", "x+01:00", "+01:00x", "constructor"])(
  "%s is no zone",
  (zone) => {
    expect(offsetOf(zone, JANUARY)).toBeNull();
  },
);
