import { CHAT_REQUEST } from "./load.ts";

const TOOLS = ["read_file", "edit_file", "run_command", "search", "list_files"].map((name) => ({
  type: "function",
  function: {
    name,
    description: `Calls ${name} in the workspace and returns its output. `.repeat(6),
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" }, limit: { type: "integer" } },
      required: ["path"],
    },
  },
}));

/** Quotes, tabs and line breaks as source code has them, which JSON escapes, and a few letters beyond ASCII. */
const LINE = '\t"name": "café", // the caller\'s own name, "as is"\n';

/**
 * A chat completion as a coding agent sends it late in its session: tools, and turns in which the model calls one and
 * gets about 1.5 kB back.
 * @param bytes length of the request in JSON, exceeded by less than a turn
 */
export function agentRequest(bytes: number): object {
  const messages: object[] = [...CHAT_REQUEST.messages];
  const request = { ...CHAT_REQUEST, tools: TOOLS, messages };
  let length = Buffer.byteLength(JSON.stringify(request));
  for (let turn = 0; length < bytes; turn += 1) {
    const added = turnOf(turn);
    messages.push(...added);
    length += Buffer.byteLength(JSON.stringify(added)) - 1;
  }
  return request;
}

function turnOf(turn: number): object[] {
  const id = `call_${String(turn).padStart(24, "0")}`;
  const { name } = TOOLS[turn % TOOLS.length]!.function;
  const args = JSON.stringify({ path: `packages/example/src/file-${turn}.ts`, limit: 40 });
  return [
    {
      role: "assistant",
      content: `Step ${turn}: I look at the next file.`,
      tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
    },
    { role: "tool", tool_call_id: id, content: LINE.repeat(24) },
  ];
}
