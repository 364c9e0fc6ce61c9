/** A file that a member has chosen or dropped, or a file in an archive. It has not been read yet. */
export interface SourceFile {
  /** The path in the archive or in the chosen folder. */
  path: string;
  size: number;
  lastModified: number;
  /** The encoding that was guessed for the file's name in the archive. Undefined if the name is UTF-8. */
  guessedEncoding?: string | undefined;
  /** Reads the file. Throws ReadError if it is in an archive and can't be extracted. */
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
