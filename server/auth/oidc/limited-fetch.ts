import type { CustomFetch } from "openid-client";
import { LIMITS } from "../../config/limits.ts";

/** Fails if the provider's response is larger than 1 MB. openid-client sets the timeout and rejects redirects. */
export const limitedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > LIMITS.provider.responseBytes) throw new Error("The provider's response is too large");
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(limit) ?? null, response);
};
