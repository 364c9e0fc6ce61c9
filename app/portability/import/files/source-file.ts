/** An unread file that a member chose or dropped, or that is in an archive. */
export interface SourceFile {
  /** Relative to the archive or the chosen folder. */
  path: string;
  size: number;
  lastModified: number;
  /** The guessed encoding if the name is not UTF-8. */
  guessedEncoding?: string | undefined;
  /** Throws ReadError. */
  read(): Promise<ArrayBuffer>;
}

export function chosenFile(file: File): SourceFile {
  return {
    path: file.webkitRelativePath || file.name,
    size: file.size,
    lastModified: file.lastModified,
    read: () => file.arrayBuffer(),
  };
}
