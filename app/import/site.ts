import type { DataClient } from "../../common/data/client.ts";
import type { PictureFile } from "../../common/pictures/picture-path.ts";

export type FittedPicture = PictureFile & { blob: Blob };

/** The parts of the site and the browser that an import uses. Tests supply their own. */
export interface ImportSite {
  userId: string;
  data: DataClient;
  pictures: {
    /** Prepares a file for upload. Throws PictureError. */
    fit(file: File): Promise<FittedPicture>;
    /** Returns the paths of the member's pictures in the bucket. */
    list(): Promise<string[]>;
    /** Uploads a picture to a path in the bucket. Throws PictureError. */
    store(path: string, blob: Blob): Promise<void>;
  };
}
