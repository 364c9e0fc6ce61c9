/**
 * Returns the dropped files with their paths, including files in dropped folders. Call it synchronously in the event
 * handler, because browsers empty `dataTransfer` afterwards.
 */
export async function droppedFiles({ items }: DataTransfer): Promise<File[]> {
  // Files that were dragged from another page or dropped by a script have no entry.
  const dropped = [...items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files = await Promise.all(
    dropped.map((item) => (item === null || item instanceof File ? [item] : filesOf(item))),
  );
  return files.flat().filter((file) => file !== null);
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (isDirectory(entry)) {
    const files: File[] = [];
    for (const child of await entriesOf(entry)) files.push(...(await filesOf(child)));
    return files;
  }
  const file = await new Promise<File>((resolve, reject) =>
    (entry as FileSystemFileEntry).file(resolve, reject),
  );
  const path = entry.fullPath.slice(1);
  // Set the path that a file from an input with `webkitdirectory` would have.
  return [path === file.name ? file : Object.defineProperty(file, "webkitRelativePath", { value: path })];
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** Reads until no entries are left, because Chromium returns at most 100 at a time. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  while (true) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}
