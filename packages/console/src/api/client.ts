/** What the gateway answered instead of what was asked for. */
export class ApiError extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Where the gateway's paths begin: the console lies in `ui/` below it. */
export const gatewayUrl = new URL("../", new URL(".", window.location.href));

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Request {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The address of a path of the gateway; what is undefined or empty stays out of the query. */
function urlOf(path: string, query: Query = {}): string {
  const url = new URL(path.replace(/^\//, ""), gatewayUrl);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  return url.href;
}

/**
 * Asks the gateway as whoever is signed in: the cookie goes along, and the header, which no other site can send, shows
 * that the console asks.
 * @throws ApiError
 */
export async function send(
  path: string,
  { method = "GET", query, body, signal }: Request = {},
): Promise<Response> {
  const response = await fetch(urlOf(path, query), {
    method,
    credentials: "same-origin",
    headers: {
      "x-portico-console": "1",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The gateway does not answer; is it still running?");
  });
  if (!response.ok) throw new ApiError(response.status, messageOf(await response.text(), response.status));
  return response;
}

/** The same for an answer in JSON. */
export async function ask<T>(path: string, request?: Request): Promise<T> {
  return (await (await send(path, request)).json()) as T;
}

function messageOf(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    if (typeof error?.message === "string") return error.message;
  } catch {
    // Not the gateway's own answer; a proxy in between may have written it.
  }
  return `The gateway answered with status ${status}.`;
}
