const originalFetch = globalThis.fetch;

// Tests stop sites at any time. If fetch reused a connection that a site has closed, the request would fail.
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set("Connection", "close");
  return originalFetch(input, { ...init, headers });
};
