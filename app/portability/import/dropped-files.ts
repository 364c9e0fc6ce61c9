/**
 * The dropped files, including those in folders, with their paths. Call it synchronously in the event handler, because
 * browsers empty `dataTransfer` afterwards.
 */
export async function droppedFiles({ items }: DataTransfer): Promise<File[]> {
  // Files dragged from another page or by a script have no entry.
  const dropped = [...items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files = await Promise.all(
    dropped.map((each) => (each === null || each instanceof File ? [each] : filesOf(each))),
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
  // Same as for a file from an input with `webkitdirectory`.
  return [path === file.name ? file : Object.defineProperty(file, "webkitRelativePath", { value: path })];
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** Chromium lists 100 entries at a time. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  while (true) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
