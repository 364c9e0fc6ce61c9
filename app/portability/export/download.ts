import type { DataClient } from "../../../common/data/client.ts";
import { listPictures, readPicture } from "../../pictures/stored-pictures.ts";
import { archiveFiles, zipTexts } from "./archive.ts";
import { readMemberContent } from "./member-content.ts";
import { archiveName } from "./names.ts";

/** Revoking the archive's URL sooner could cancel the download, if the browser hasn't started to read the file yet. */
const OBJECT_URL_LIFETIME_MS = 60_000;

export async function downloadContent(data: DataClient, userId: string): Promise<void> {
  const content = await readMemberContent(data, userId);
  const pictures = (await listPictures(userId)).map(({ path }) => ({
    path: `pictures/${path.split("/").at(-1)}`,
    read: () => readPicture(path),
  }));
  const address = URL.createObjectURL(await zipTexts(archiveFiles(content), pictures));
  const link = document.createElement("a");
  link.href = address;
  link.download = archiveName(content.profile, new Date());
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), OBJECT_URL_LIFETIME_MS);
}
