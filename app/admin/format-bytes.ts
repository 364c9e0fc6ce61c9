/** Formats a size, for example "12 kB", "1.5 MB" or "66.9 GB". */
export function formatBytes(bytes: number): string {
  if (bytes > 0 && bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return bytes < 1_000_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
