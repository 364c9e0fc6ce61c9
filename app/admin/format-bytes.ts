/** Formats a size, for example "1.5 MB" or "66.9 GB". */
export function formatBytes(bytes: number): string {
  return bytes < 1_000_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
