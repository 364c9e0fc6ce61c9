const REQUEST_TIMEOUT_MS = 30_000;

export const fetchWithTimeout: typeof fetch = (input, init) => {
  const limit = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
};
