import type { AuthContext, Database } from "../postgres/database.ts";
import { alreadyExists, tooLarge } from "./storage-error.ts";

export interface StoredObject {
  id: string;
  size: number;
  type: string;
  etag: string;
  userMetadata: object | null;
  modifiedAt: Date;
}

export interface NewObject {
  bucket: string;
  name: string;
  ownerId: string;
  digest: string;
  type: string;
  bytes: Uint8Array;
  userMetadata: object | undefined;
}

export interface ListOptions {
  bucket: string;
  /** Empty, or a folder with a trailing slash. */
  prefix: string;
  search: string;
  sortBy: "name" | "created_at" | "updated_at" | "last_accessed_at";
  isDescending: boolean;
  limit: number;
  offset: number;
}

export type Store = ReturnType<typeof createStore>;

/** Public objects are read without applying policies, as in Supabase Storage. */
const SERVICE: AuthContext = { role: "service_role" };

export const PART_BYTES = 256 * 1024;

/** The least that a picture counts, as in `storage.counted_bytes` (base.sql). */
const MIN_COUNTED_BYTES = 1_000;

const INSERT = `
  insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  values ($1, $2, $3::uuid, $3, gen_random_uuid()::text, $4, $5)
  on conflict (bucket_id, name) do nothing returning id`;

const REPLACE = `
  update storage.objects set updated_at = now(), user_metadata = coalesce($3, user_metadata)
  where bucket_id = $1 and name = $2 returning id`;

const COLUMNS = `name, bucket_id, owner, owner_id, version, id, updated_at, created_at, last_accessed_at,
  metadata, user_metadata`;

/** Sorts after every character that names contain. */
const LAST = "\u{10ffff}";

/**
 * Lists folders. Finds each with one look into the index, whatever it contains. All objects are in folders, and these
 * contain no others (picturePath).
 */
const LIST_FOLDERS = (direction: string) => `
  with recursive folders as (
    select (select split_part(name, '/', 1) from storage.objects
      where bucket_id = $1 order by name collate "C" limit 1) as name
    union all
    -- The names in folder f are less than f0, because 0 is the character after the slash.
    select (select split_part(o.name, '/', 1) from storage.objects o
      where o.bucket_id = $1 and o.name collate "C" >= f.name || '0' order by o.name collate "C" limit 1)
    from folders f where f.name is not null
  )
  select name, null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
    null::timestamptz as last_accessed_at, null::jsonb as metadata
  from folders where starts_with(name, $2) order by name collate "C" ${direction} limit $3 offset $4`;

/** Lists the files of a folder. An index contains them by name, and another one by time. */
const LIST_FILES = (column: ListOptions["sortBy"], direction: string) => `
  select split_part(name, '/', 2) as name, id, updated_at, created_at, last_accessed_at, metadata
  from storage.objects
  where bucket_id = $1 and name collate "C" >= $2 and name collate "C" < $3 and split_part(name, '/', 1) = $4
  order by ${column === "name" ? "" : `${column} ${direction}, `}name collate "C" ${direction} limit $5 offset $6`;

export function createStore(database: Database, bytesPerMember: number) {
  return {
    async findPublic(bucket: string, name: string): Promise<StoredObject | undefined> {
      const { rows } = await database.read<StoredObject>(SERVICE, {
        text: `select o.id, (metadata ->> 'size')::int as size, metadata ->> 'mimetype' as type,
            metadata ->> 'eTag' as etag, user_metadata as "userMetadata",
            o.created_at as "modifiedAt"
          from storage.objects o join storage.buckets b on b.id = bucket_id
          where bucket_id = $1 and o.name = $2 and b.public`,
        values: [bucket, name],
      });
      return rows[0];
    },

    async readPart(objectId: string, position: number): Promise<Buffer<ArrayBuffer> | undefined> {
      const { rows } = await database.read<{ bytes: Buffer<ArrayBuffer> }>(SERVICE, {
        text: "select bytes from storage.object_parts where object_id = $1 and position = $2",
        values: [objectId, position],
      });
      return rows[0]?.bytes;
    },

    /**
     * Stores a picture and returns its id. Throws StorageError if it would exceed the member's quota, or if its name is
     * taken and `isUpsert` is false.
     */
    async add(caller: AuthContext, object: NewObject, isUpsert: boolean): Promise<string> {
      const { bucket, name, ownerId, digest, type, bytes, userMetadata } = object;
      return database.transaction(caller, async (client) => {
        const used = await client.query<{ size: string }>(
          "select storage.folder_size($1, $2)::text as size",
          [bucket, ownerId],
        );
        const metadata = {
          eTag: `"${digest}"`,
          size: bytes.length,
          mimetype: type,
          cacheControl: "max-age=31536000",
          lastModified: new Date().toISOString(),
          contentLength: bytes.length,
          httpStatusCode: 200,
        };
        const inserted = await client.query<{ id: string }>(INSERT, [
          bucket,
          name,
          ownerId,
          metadata,
          userMetadata,
        ]);
        const [row] = inserted.rows;
        if (row === undefined) {
          if (!isUpsert) throw alreadyExists();
          // The name contains a digest of the bytes, so the stored bytes are the same.
          const replaced = await client.query<{ id: string }>(REPLACE, [bucket, name, userMetadata]);
          return replaced.rows[0]?.id ?? "";
        }
        const counted = Math.max(bytes.length, MIN_COUNTED_BYTES);
        if (Number(used.rows[0]?.size) + counted > bytesPerMember) throw overQuota(bytesPerMember);
        for (let position = 0; position * PART_BYTES < bytes.length; position++) {
          const part = bytes.subarray(position * PART_BYTES, (position + 1) * PART_BYTES);
          await client.query(
            "insert into storage.object_parts (object_id, position, bytes) values ($1, $2, $3)",
            [row.id, position, part],
          );
        }
        return row.id;
      });
    },

    /** Deletes those of the named objects that the caller may delete, and returns their rows. */
    async remove(caller: AuthContext, bucket: string, names: string[]) {
      return database.transaction(caller, async (client) => {
        const { rows } = await client.query(
          `delete from storage.objects where bucket_id = $1 and name = any ($2) returning ${COLUMNS}`,
          [bucket, names],
        );
        return rows;
      });
    },

    async list(caller: AuthContext, options: ListOptions) {
      const { bucket, prefix, search, sortBy, isDescending, limit, offset } = options;
      const direction = isDescending ? "desc" : "asc";
      // The names of folders and pictures have no capital letters.
      const start = search.toLowerCase();
      const statement =
        prefix === ""
          ? { text: LIST_FOLDERS(direction), values: [bucket, start, limit, offset] }
          : {
              text: LIST_FILES(sortBy, direction),
              values: [
                bucket,
                prefix + start,
                prefix + start + LAST,
                prefix.replace(/\/$/, ""),
                limit,
                offset,
              ],
            };
      const { rows } = await database.read(caller, statement);
      return rows;
    },
  };
}

function overQuota(bytes: number) {
  const megabytes = Math.round((bytes / 1024 / 1024) * 10) / 10;
  return tooLarge(`The pictures of one member can take up to ${megabytes} MB. Delete some of them first.`);
}
