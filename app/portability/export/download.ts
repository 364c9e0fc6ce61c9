import type { DataClient } from "../../../common/data/client.ts";
import { listPictures, readPicture } from "../../pictures/stored-pictures.ts";
import { saveFile } from "../../ui/save-file.ts";
import { archiveFiles, zipTexts } from "./archive.ts";
import { readMemberContent } from "./member-content.ts";
import { archiveName } from "./names.ts";

/** Downloads a member's content as a zip archive. `list` returns the paths of the pictures in the bucket. */
export async function downloadContent(
  client: DataClient,
  userId: string,
  list: (userId: string) => Promise<{ path: string }[]> = listPictures,
): Promise<void> {
  const content = await readMemberContent(client, userId);
  const pictures = (await list(userId)).map(({ path }) => ({
    path: `pictures/${path.split("/").at(-1)}`,
    read: () => readPicture(path),
  }));
  saveFile(await zipTexts(archiveFiles(content), pictures), archiveName(content.profile, new Date()));
}
