import autocannon from "autocannon";

/** Sends identical requests over 8 connections. Throws unless every response has a 2xx status. */
export async function burst(
  url: string,
  amount: number,
  extraHeaders: Record<string, string> = {},
): Promise<void> {
  const headers = { "Accept-Encoding": "br", ...extraHeaders };
  const result = await autocannon({ url, headers, connections: 8, amount });
  if (result["2xx"] !== amount)
    throw new Error(`${url}: ${result["2xx"]} of ${amount} requests returned 200`);
}
