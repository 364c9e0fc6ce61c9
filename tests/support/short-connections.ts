const originalFetch = globalThis.fetch;

// A site that stops lets resting connections know for a second, and those of a test would rest for a minute.
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set("Connection", "close");
  return originalFetch(input, { ...init, headers });
};
