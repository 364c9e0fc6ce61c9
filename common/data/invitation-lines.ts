const AFTER_ADDRESS = /(?<=@[^\s,;<>()"']+[>)"']?)\s*[,;\s]\s*/;

/** Splits pasted text into lines with one email address each. Lines that can't be split are returned unchanged. */
export function invitationLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .flatMap((line) => {
      if ((line.match(/@/g)?.length ?? 0) < 2) return [line];
      for (const separator of [/;/, /,/, AFTER_ADDRESS]) {
        const parts = line.split(separator).filter((part) => part.trim() !== "");
        if (parts.length > 1 && parts.every((part) => part.split("@").length === 2))
          return parts.map((part) => part.trim());
      }
      return [line];
    });
}
