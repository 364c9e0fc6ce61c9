import autocannon from "autocannon";

/** Sends equal requests over 8 connections, as a browser does. Throws unless all are answered 200. */
export async function burst(url: string, amount: number, others: Record<string, string> = {}): Promise<void> {
  const headers = { "Accept-Encoding": "br", ...others };
  const result = await autocannon({ url, headers, connections: 8, amount });
  if (result["2xx"] !== amount) throw new Error(`${url}: ${result["2xx"]} of ${amount} were answered 200`);
}
