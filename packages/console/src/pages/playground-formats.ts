import { gatewayUrl } from "../api/client.ts";

interface WireFormat {
  readonly title: string;
  readonly path: string;
  readonly body: (model: string, message: string) => object;
  /** The text that an event of the stream adds. */
  readonly textOf: (event: Record<string, unknown>) => string;
}

const textAt = (value: unknown, ...way: (string | number)[]): string => {
  let at = value;
  for (const step of way) at = (at as Record<string | number, unknown> | null | undefined)?.[step];
  return typeof at === "string" ? at : "";
};

/** The wire formats in which the playground calls. */
export const FORMATS = {
  chat: {
    title: "Chat",
    path: "v1/chat/completions",
    body: (model, message) => ({ model, messages: [{ role: "user", content: message }] }),
    textOf: (event) => textAt(event, "choices", 0, "delta", "content"),
  },
  messages: {
    title: "Messages",
    path: "v1/messages",
    body: (model, message) => ({ model, max_tokens: 1024, messages: [{ role: "user", content: message }] }),
    textOf: (event) => textAt(event, "delta", "text"),
  },
  responses: {
    title: "Responses",
    path: "v1/responses",
    body: (model, message) => ({ model, input: message }),
    textOf: (event) => (event.type === "response.output_text.delta" ? textAt(event, "delta") : ""),
  },
} as const satisfies Record<string, WireFormat>;

export type Format = keyof typeof FORMATS;

const CLIENTS: Record<Format, { python: string; typescript: string }> = {
  chat: { python: "openai", typescript: "openai" },
  messages: { python: "anthropic", typescript: "@anthropic-ai/sdk" },
  responses: { python: "openai", typescript: "openai" },
};

const CALLS: Record<Format, string> = {
  chat: "chat.completions.create",
  messages: "messages.create",
  responses: "responses.create",
};

/** The same call for a terminal, in TypeScript and in Python. */
export function samples(path: string, body: object, format: Format): Record<string, string> {
  const json = JSON.stringify(body, undefined, 2);
  const address = new URL(path, gatewayUrl).href;
  const base = format === "messages" ? gatewayUrl.href.replace(/\/$/, "") : new URL("v1", gatewayUrl).href;
  const client = format === "messages" ? "Anthropic" : "OpenAI";
  const { python, typescript } = CLIENTS[format];
  const call = CALLS[format];
  const fields = Object.entries(body)
    .map(([name, value]) => `    ${name}=${JSON.stringify(value)},`)
    .join("\n");
  return {
    curl: `curl ${address} \\
  -H "authorization: Bearer $PORTICO_KEY" \\
  -H "content-type: application/json" \\
  -d '${json.replaceAll("'", "'\\''")}'`,
    TypeScript: `import ${client} from "${typescript}";

const client = new ${client}({ baseURL: "${base}", apiKey: process.env.PORTICO_KEY });
const answer = await client.${call}(${json});
console.log(answer);`,
    Python: `import os
from ${python} import ${client}

client = ${client}(base_url="${base}", api_key=os.environ["PORTICO_KEY"])
answer = client.${call}(
${fields}
)
print(answer)`,
  };
}
