import type { Context } from "hono";
import type { PicturePath } from "../../common/pictures/picture-path.ts";
import type { AuthContext } from "../postgres/database.ts";

export interface StorageEnv {
  Variables: { caller: AuthContext; picture: { path: PicturePath; bytes: Buffer } };
}

export type StorageContext = Context<StorageEnv>;
