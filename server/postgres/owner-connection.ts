import type pg from "pg";

export interface OwnerConnection {
  client: pg.Client;
  close(): Promise<void>;
}
