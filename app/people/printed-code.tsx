import type { QrCode } from "./qr-code.server.ts";

/** The standard's margin, in modules (ISO/IEC 18004, 9.1). Scanners need it. */
const QUIET_ZONE = 4;

/** Shows a QR code, but only in print. */
export function PrintedCode({ code: { size, path } }: { code: QrCode }) {
  const width = size + 2 * QUIET_ZONE;
  // The path is a line through the middle of each row of modules.
  const viewBox = [-QUIET_ZONE, -QUIET_ZONE - 0.5, width, width].join(" ");
  return (
    <svg role="img" aria-label="QR code of this page" viewBox={viewBox} className="printed-code">
      <path d={path} stroke="black" />
    </svg>
  );
}
