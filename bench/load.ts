import autocannon from "autocannon";

/** Sends equal requests, each connection its next one after an answer. Throws unless all are answered 200. */
export async function burst(
  url: string,
  requests: number,
  { headers = {}, connections = 16 }: { headers?: Record<string, string>; connections?: number } = {},
): Promise<void> {
  const result = await autocannon({ url, headers, connections, amount: requests, sampleInt: 50 });
  if (result["2xx"] !== requests)
    throw new Error(`${url}: ${result["2xx"]} of ${requests} were answered 200`);
}
