/** After this long a request counts as failed; what the member typed is still there. */
const LONGEST_REQUEST_MS = 30_000;

/** The browser's own fetch, which rejects when an answer takes too long, so that no button stays disabled for ever. */
export const fetchInTime: typeof fetch = (input, init) => {
  const limit = AbortSignal.timeout(LONGEST_REQUEST_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
};
