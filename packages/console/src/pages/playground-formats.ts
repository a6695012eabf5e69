import { gatewayUrl } from "../api/client.ts";

/** What is sent, in no format yet. */
export interface Call {
  readonly model: string;
  readonly message: string;
  readonly image?: Image;
  readonly tools: readonly Tool[];
}

export interface Image {
  /** The media type. */
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

/** A function that the model may call; nobody runs it here. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema. */
  readonly parameters?: unknown;
}

interface WireFormat {
  readonly title: string;
  readonly path: string;
  readonly body: (call: Call) => object;
  /** The text that an event of the stream adds: of the answer, or of a tool's call. */
  readonly textOf: (event: Record<string, unknown>) => string;
}

const textAt = (value: unknown, ...way: (string | number)[]): string => {
  let at = value;
  for (const step of way) at = (at as Record<string | number, unknown> | null | undefined)?.[step];
  return typeof at === "string" ? at : "";
};

/** A call begins on a line of its own. */
const called = (name: string): string => (name === "" ? "" : `\n${name} `);
const urlOf = ({ type, data }: Image): string => `data:${type};base64,${data}`;
const toolsOf = (tools: readonly Tool[], write: (tool: Tool) => object): object =>
  tools.length === 0 ? {} : { tools: tools.map(write) };

/** The wire formats in which the playground calls. */
export const FORMATS = {
  chat: {
    title: "Chat",
    path: "v1/chat/completions",
    body: ({ model, message, image, tools }) => ({
      model,
      messages: [
        {
          role: "user",
          content:
            image === undefined
              ? message
              : [
                  { type: "image_url", image_url: { url: urlOf(image) } },
                  { type: "text", text: message },
                ],
        },
      ],
      ...toolsOf(tools, (tool) => ({ type: "function", function: tool })),
    }),
    textOf: (event) => {
      const call = ["choices", 0, "delta", "tool_calls", 0, "function"] as const;
      return (
        textAt(event, "choices", 0, "delta", "content") +
        called(textAt(event, ...call, "name")) +
        textAt(event, ...call, "arguments")
      );
    },
  },
  messages: {
    title: "Messages",
    path: "v1/messages",
    body: ({ model, message, image, tools }) => ({
      model,
      max_tokens: 1024,
      messages: [
        {
          role: "user",
          content:
            image === undefined
              ? message
              : [
                  { type: "image", source: { type: "base64", media_type: image.type, data: image.data } },
                  { type: "text", text: message },
                ],
        },
      ],
      ...toolsOf(tools, ({ name, description, parameters = { type: "object" } }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        input_schema: parameters,
      })),
    }),
    textOf: (event) =>
      called(textAt(event, "content_block", "name")) +
      textAt(event, "delta", "text") +
      textAt(event, "delta", "partial_json"),
  },
  responses: {
    title: "Responses",
    path: "v1/responses",
    body: ({ model, message, image, tools }) => ({
      model,
      input:
        image === undefined
          ? message
          : [
              {
                role: "user",
                content: [
                  { type: "input_image", image_url: urlOf(image) },
                  { type: "input_text", text: message },
                ],
              },
            ],
      ...toolsOf(tools, (tool) => ({ type: "function", ...tool })),
    }),
    textOf: (event) => {
      if (event.type === "response.output_item.added") return called(textAt(event, "item", "name"));
      const isText = event.type === "response.output_text.delta";
      return isText || event.type === "response.function_call_arguments.delta" ? textAt(event, "delta") : "";
    },
  },
} as const satisfies Record<string, WireFormat>;

/** A tool to begin with. */
export const EXAMPLE_TOOL: Tool = {
  name: "get_weather",
  description: "The weather of a city now",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** Tools as somebody writes them: a list in JSON. @throws Error that says what is wrong */
export function readTools(text: string): readonly Tool[] {
  if (text.trim() === "") return [];
  const tools: unknown = JSON.parse(text);
  const isTool = (tool: unknown): boolean => textAt(tool, "name") !== "";
  if (!Array.isArray(tools) || !tools.every(isTool))
    throw new Error("Tools are a JSON list of objects that have a name.");
  return tools as Tool[];
}

/** A picture that somebody chose. */
export async function readImage(file: File): Promise<Image> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { type: file.type, data: btoa(text) };
}

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
    .map(([name, value]) => `    ${name}=${pythonOf(value)},`)
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

/** A value of JSON as Python writes it. */
function pythonOf(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}: ${pythonOf(of)}`);
  return `{${members.join(", ")}}`;
}
