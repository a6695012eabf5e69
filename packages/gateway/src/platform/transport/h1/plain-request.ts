/** Methods whose answers have a body wherever their head says so. */
const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Headers that are about the connection or the message's length: a request that has one is not plain. */
const special: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const notInValue = /[^\t\x20-\x7e\x80-\xff]/;

/** Header names that were checked; they are few. */
const checked = new Set<string>();
const MAX_CHECKED = 500;

/**
 * The head of a request that is like nearly all: an ordinary method, headers that only its receiver reads, and a body
 * in memory or none.
 * @param target from method to host: `POST /path HTTP/1.1\r\nhost: example.com\r\n`
 * @param bodyLength bytes
 * @returns nothing for a request that is not like that, or whose headers could break out of their lines
 */
export function plainHead(
  target: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  bodyLength: number,
): string | undefined {
  if (!methods.has(method)) return undefined;
  let head = target;
  for (const name in headers) {
    const value = headers[name]!;
    if (!isPlainName(name) || typeof value !== "string" || notInValue.test(value)) return undefined;
    head += `${name}: ${value}\r\n`;
  }
  // A request without a body and its length would be ambiguous where the method expects one (RFC 9112, section 6.3).
  return bodyLength === 0 && method === "GET"
    ? `${head}\r\n`
    : `${head}content-length: ${bodyLength}\r\n\r\n`;
}

function isPlainName(name: string): boolean {
  if (checked.has(name)) return true;
  if (!token.test(name) || special.has(name.toLowerCase())) return false;
  if (checked.size >= MAX_CHECKED) checked.clear();
  checked.add(name);
  return true;
}
