import { busy } from "./admission-error.ts";

const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BYTES_PER_CLIENT = 8 * 1024 * 1024;

export interface UploadMeter extends Disposable {
  add(bytes: number): void;
}

export function createUploads(): (client: string) => UploadMeter {
  const byClient = new Map<string, number>();
  let inAll = 0;
  return (client) => {
    let taken = 0;
    const take = (bytes: number) => {
      taken += bytes;
      inAll += bytes;
      const own = (byClient.get(client) ?? 0) + bytes;
      if (own > 0) byClient.set(client, own);
      else byClient.delete(client);
    };
    return {
      add(bytes) {
        if ((byClient.get(client) ?? 0) + bytes > MOST_BYTES_PER_CLIENT) throw busy(true);
        if (inAll + bytes > MOST_BYTES) throw busy(false);
        take(bytes);
      },
      [Symbol.dispose]: () => take(-taken),
    };
  };
}
