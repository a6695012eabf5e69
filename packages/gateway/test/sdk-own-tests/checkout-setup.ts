// Before each of an SDK's test files: its client has a placeholder for a key and tries again, so the requests get the key
// of OWN_TESTS_KEY, and the answers a header by which the SDKs try once.
import { vi } from "vitest";

const { fetch: send } = globalThis;
const key = process.env.OWN_TESTS_KEY ?? "";

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (request.headers.has("x-api-key")) request.headers.set("x-api-key", key);
  else request.headers.set("authorization", `Bearer ${key}`);
  const answer = await send(request);
  const headers = new Headers(answer.headers);
  headers.set("x-should-retry", "false");
  const { status, statusText } = answer;
  const again = new Response(answer.body, { headers, status, statusText });
  Object.defineProperty(again, "url", { value: answer.url });
  return again;
};

// As Jest has it.
Object.assign(globalThis, { jest: vi });
