import type { Hooks } from "../../contract/hook.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Characters of Python that are formatted in one answer: formatting takes the event loop's time. */
const MAX_CODE = 100_000;

/**
 * The built-in hook `format_python`: formats the Python blocks of answers that are not streamed with Jetblack. What is
 * no Python, such as an excerpt or a session with prompts, stays as the model wrote it.
 */
export function formatPython(): Hooks {
  return {
    name: "format_python",
    isPure: true,
    async postCallSuccess(_context, answer) {
      // Only gateways that use the hook load the formatter.
      const { format } = await import("jetblack");
      let left = MAX_CODE;
      const formatBlock = (code: string): string => {
        if (code.length > left) return code;
        left -= code.length;
        try {
          return format(code);
        } catch {
          // An answer with one block as it came is better than none, whatever the reason.
          return code;
        }
      };
      return mapAnswerTexts(answer, (text) => mapPythonBlocks(text, formatBlock));
    },
  };
}

/**
 * A whole answer of the Chat Completions, Messages or Responses API with the texts that the model wrote mapped; the
 * very same object where nothing changed. Texts that others refer to by position (annotations, log probabilities)
 * stay as they are.
 */
export function mapAnswerTexts(answer: JsonObject, map: (text: string) => string): JsonObject {
  const part = (value: unknown): unknown => mapPart(value, map);
  if (Array.isArray(answer.choices))
    return mapMember(answer, "choices", (choices) => mapItems(choices, (choice) => mapChoice(choice, map)));
  if (answer.type === "message") return mapMember(answer, "content", (content) => mapItems(content, part));
  if (answer.object !== "response") return answer;
  return mapMember(answer, "output", (output) =>
    mapItems(output, (item) =>
      isJsonObject(item) && item.type === "message"
        ? mapMember(item, "content", (content) => mapItems(content, part))
        : item,
    ),
  );
}

function mapChoice(choice: unknown, map: (text: string) => string): unknown {
  if (!isJsonObject(choice) || isJsonObject(choice.logprobs)) return choice;
  return mapMember(choice, "message", (message) => {
    if (!isJsonObject(message) || hasItems(message.annotations)) return message;
    return mapMember(message, "content", (content) =>
      typeof content === "string" ? map(content) : mapItems(content, (part) => mapPart(part, map)),
    );
  });
}

/** One part of a text: `text` in chat and messages, `output_text` in responses. */
function mapPart(part: unknown, map: (text: string) => string): unknown {
  if (!isJsonObject(part) || (part.type !== "text" && part.type !== "output_text")) return part;
  if (hasItems(part.annotations) || hasItems(part.logprobs)) return part;
  return mapMember(part, "text", (text) => (typeof text === "string" ? map(text) : text));
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function mapMember(object: JsonObject, key: string, map: (value: unknown) => unknown): JsonObject {
  const mapped = map(object[key]);
  return mapped === object[key] ? object : ({ ...object, [key]: mapped } as JsonObject);
}

function mapItems(value: unknown, map: (item: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.map(map);
  return items.some((item, index) => item !== value[index]) ? items : value;
}

/** Info strings of fences whose block is Python. */
const pythonNames: ReadonlySet<string> = new Set(["python", "py", "python3", "pyi"]);

/** An open fence: its indentation, its characters and the language behind it. */
interface Fence {
  readonly indent: string;
  readonly marker: string;
  readonly isPython: boolean;
}

/**
 * The Markdown text with the code of its fenced Python blocks mapped (CommonMark, fenced code blocks; indented ones in
 * lists too). Blocks within other fences, and those that are never closed, stay as they are.
 *
 * @param map gets whole lines without the block's indentation, each with its line end
 */
export function mapPythonBlocks(text: string, map: (code: string) => string): string {
  if (!text.includes("```") && !text.includes("~~~")) return text;
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let fence: Fence | undefined;
  let block: string[] = [];
  for (const line of lines) {
    if (fence === undefined) {
      result.push(line);
      fence = openingFence(line);
    } else if (isClosing(line, fence)) {
      result.push(fence.isPython ? mapLines(block, fence.indent, map) : block.join(""), line);
      fence = undefined;
      block = [];
    } else block.push(line);
  }
  return result.join("") + block.join("");
}

function openingFence(line: string): Fence | undefined {
  const match = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/.exec(line);
  if (match === null) return undefined;
  const [, indent = "", marker = "", language = ""] = match;
  return { indent, marker, isPython: pythonNames.has(language.toLowerCase()) };
}

function isClosing(line: string, { marker }: Fence): boolean {
  const found = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?\n?$/.exec(line)?.[1];
  return found !== undefined && found[0] === marker[0] && found.length >= marker.length;
}

/** The mapped lines, indented as before; a block with a line that is indented less is left alone. */
function mapLines(lines: readonly string[], indent: string, map: (code: string) => string): string {
  const original = lines.join("");
  const isBlank = (line: string): boolean => line.trim() === "";
  if (!lines.every((line) => line.startsWith(indent) || isBlank(line))) return original;
  const code = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : "\n")).join("");
  const mapped = map(code);
  if (mapped === code) return original;
  return mapped.replace(/^(?=[^\r\n])/gm, indent);
}
