/** Requests time out after this. Forms keep the member's input. */
const REQUEST_TIMEOUT_MS = 30_000;

export const fetchInTime: typeof fetch = (input, init) => {
  const limit = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
};
