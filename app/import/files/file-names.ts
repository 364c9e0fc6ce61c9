import type { FileEntry } from "@zip.js/zip.js/lib/zip-core-custom.js";

type Named = Pick<FileEntry, "filename" | "rawFilename" | "filenameUTF8">;

/** East Asian encodings that Windows uses for names in archives, with the byte ranges of their common characters. */
const EAST_ASIAN: {
  encoding: string;
  isSingle(byte: number): boolean;
  isCommon(lead: number, trail: number): boolean;
}[] = [
  {
    encoding: "shift_jis",
    isSingle: (byte) => byte >= 0xa1 && byte <= 0xdf,
    isCommon(lead, trail) {
      // 、。・：ー（）「」 and full-width digits. The other bytes after 0x81 and 0x82 also follow ü and é in DOS.
      if (lead === 0x81) return [0x41, 0x42, 0x45, 0x46, 0x5b, 0x69, 0x6a, 0x75, 0x76].includes(trail);
      if (lead === 0x82) return trail >= 0x9f || (trail >= 0x4f && trail <= 0x58);
      return lead === 0x83 || (lead >= 0x88 && lead <= 0x97) || (lead === 0x98 && trail <= 0x72);
    },
  },
  {
    encoding: "euc-kr",
    isSingle: () => false,
    isCommon: (lead, trail) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1,
  },
  {
    encoding: "gb18030",
    isSingle: () => false,
    isCommon: (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1,
  },
  {
    encoding: "big5",
    isSingle: () => false,
    isCommon: (lead) => lead >= 0xa4 && lead <= 0xc6,
  },
];
/** A guess is accepted if at least this fraction of the characters supports it. */
const MIN_FRACTION = 0.8;
/**
 * Hardly any file name contains box-drawing characters, Greek letters or these signs, which code page 437 has where
 * Windows-1252 has accented letters. So they are a sign that code page 437 is the wrong encoding. In Catalan, `·` follows
 * an l.
 */
const RARE_IN_NAMES = /[\u2500-\u259f\u0370-\u03ff\u2200-\u22ff⌠⌡±÷ⁿ]|(?<!l)·/i;

/**
 * Returns a function that decodes the names of an archive's entries. It decodes a name as UTF-8 if the archive declares
 * UTF-8 or if the name is valid UTF-8. For all other names, it guesses one encoding and reports the guess.
 */
export function fileNameDecoder(entries: Named[]) {
  const others = entries.filter((entry) => decodeUtf8(entry) === null);
  const encoding = guessEncoding(others);
  return (entry: Named): { path: string; guessedEncoding?: string } => {
    const path = decodeUtf8(entry);
    if (path !== null) return { path };
    // zip.js has already decoded the name with code page 437, as DOS does.
    if (encoding === "cp437") return { path: entry.filename, guessedEncoding: encoding };
    return { path: new TextDecoder(encoding).decode(entry.rawFilename), guessedEncoding: encoding };
  };
}

function decodeUtf8({ filename, rawFilename, filenameUTF8 }: Named): string | null {
  return filenameUTF8 ? filename : decode(rawFilename, "utf-8");
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function guessEncoding(names: Named[]): string {
  const best = EAST_ASIAN.map((each) => ({ ...each, fraction: commonFraction(names, each) })).toSorted(
    (a, b) => b.fraction - a.fraction,
  )[0];
  if (best && best.fraction >= MIN_FRACTION) return best.encoding;
  if (isCyrillic(names)) return isInRange(names, 0x80, 0xaf) ? "ibm866" : "windows-1251";
  return names.some(({ filename }) => RARE_IN_NAMES.test(filename)) ? "windows-1252" : "cp437";
}

/** The fraction of common double-byte characters among all non-ASCII characters, or 0 if a name cannot be decoded. */
function commonFraction(
  names: Named[],
  { encoding, isSingle, isCommon }: (typeof EAST_ASIAN)[number],
): number {
  let common = 0;
  let all = 0;
  for (const { rawFilename: bytes } of names) {
    if (decode(bytes, encoding) === null) return 0;
    for (let index = 0; index < bytes.length; index++) {
      const lead = bytes[index] ?? 0;
      if (lead < 0x80) continue;
      all++;
      if (isSingle(lead)) continue;
      index++;
      if (isCommon(lead, bytes[index] ?? 0)) common++;
    }
  }
  return all === 0 ? 0 : common / all;
}

/** In Cyrillic words, non-ASCII letters are next to each other. In Western words, most are between ASCII letters. */
function isCyrillic(names: Named[]): boolean {
  let high = 0;
  let neighbours = 0;
  for (const { rawFilename: bytes } of names) {
    for (const [index, byte] of bytes.entries()) {
      if (byte < 0x80) continue;
      high++;
      if ((bytes[index - 1] ?? 0) >= 0x80 || (bytes[index + 1] ?? 0) >= 0x80) neighbours++;
    }
  }
  return neighbours / high >= MIN_FRACTION;
}

function isInRange(names: Named[], first: number, last: number): boolean {
  return names.some(({ rawFilename }) => rawFilename.some((byte) => byte >= first && byte <= last));
}
