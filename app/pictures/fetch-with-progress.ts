/** Returns a `fetch` that reports upload progress, which the browser's own `fetch` can't do. */
export function fetchWithProgress(onProgress: (fraction: number) => void, signal: AbortSignal): typeof fetch {
  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      signal.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(init?.method ?? "GET", String(input));
      new Headers(init?.headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
      request.onerror = () => reject(new TypeError("Failed to fetch"));
      signal.addEventListener("abort", () => {
        request.abort();
        reject(signal.reason);
      });
      request.send(init?.body as XMLHttpRequestBodyInit);
    });
}
