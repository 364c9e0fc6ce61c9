/** The client has closed its connection. Neither logged nor counted as a failure. */
export class ClientDisconnectedError extends Error {
  override readonly name = "ClientDisconnectedError";
}

/** nginx's status for such requests, which appears only in the log and the metrics. */
const CLIENT_CLOSED_REQUEST = 499;

export function disconnectedResponse(): Response {
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}
