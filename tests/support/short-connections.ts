const originalFetch = globalThis.fetch;

// Tests stop sites at any time, so fetch must not reuse their connections.
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set("Connection", "close");
  return originalFetch(input, { ...init, headers });
};
