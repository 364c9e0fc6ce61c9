/** A file that a member chose or dropped, or that is in an archive, before it is read. */
export interface SourceFile {
  /** Below the root of the archive, or of the folder that was chosen. */
  path: string;
  size: number;
  lastModified: number;
  /** The encoding of a name that is not UTF-8, as guessed. */
  guessedEncoding?: string | undefined;
  /** Throws NotRead. */
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
