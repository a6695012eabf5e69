import { isObject, type JsonObject, objectOf, stringOf } from "../../util/json.ts";
import { invalidArgument } from "../failures.ts";
import { member } from "../members.ts";
import { partsOf } from "./parts.ts";
import { isThoughtSignature } from "./thought-signature.ts";

/** The contents of a request, checked as Gemini checks them. Throws `ApiFailure`. */
export function checkedContents(model: string, body: JsonObject): JsonObject[] {
  const { contents } = body;
  if (contents === undefined || (Array.isArray(contents) && contents.length === 0)) {
    throw invalidArgument("* GenerateContentRequest.contents: contents is not specified\n");
  }
  const list = (Array.isArray(contents) ? contents : [contents]).map((content, index) => {
    if (!isObject(content)) throw invalidArgument(`Invalid value at 'contents[${index}]'`);
    checkContent(content, index);
    return content;
  });
  checkFunctionPairs(list);
  checkSignatures(model, list);
  return list;
}

function checkContent(content: JsonObject, index: number): void {
  const role = stringOf(content.role) ?? "user";
  if (!["user", "model", "function"].includes(role)) {
    throw invalidArgument("Please use a valid role: user, model.");
  }
  const parts = partsOf(content);
  if (parts.length === 0) {
    throw invalidArgument(
      `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`,
    );
  }
  for (const part of parts) {
    const { thought: _thought, thoughtSignature: _signature, thought_signature: _snake, ...data } = part;
    if (Object.keys(data).length === 0) {
      throw invalidArgument(
        `* GenerateContentRequest.contents[${index}].parts[0].data: required oneof field 'data' must have one initialized field\n`,
      );
    }
  }
}

// Contents of the model in a row are one turn: Google's clients keep a streamed answer as one for each chunk.
function checkFunctionPairs(contents: readonly JsonObject[]): void {
  let open = 0;
  for (const [index, content] of contents.entries()) {
    const parts = partsOf(content);
    const calls = parts.filter((part) => member(part, "functionCall") !== undefined).length;
    if (content.role === "model" && contents[index - 1]?.role === "model") {
      open += calls;
      continue;
    }
    const responses = parts.filter((part) => member(part, "functionResponse") !== undefined).length;
    if (responses !== open) {
      throw invalidArgument(
        responses > 0 && open === 0
          ? "Please ensure that function response turn comes immediately after a function call turn."
          : "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    }
    open = calls;
  }
}

// Gemini 3 refuses the first call of a step without its signature; every model refuses a wrong one.
function checkSignatures(model: string, contents: readonly JsonObject[]): void {
  const turn = contents.findLastIndex(
    (content) =>
      content.role !== "model" &&
      !partsOf(content).some((part) => member(part, "functionResponse") !== undefined),
  );
  for (const [index, content] of contents.entries()) {
    const calls = partsOf(content).filter((part) => member(part, "functionCall") !== undefined);
    for (const [position, part] of calls.entries()) {
      const name = stringOf(objectOf(member(part, "functionCall")).name) ?? "";
      const signature = stringOf(member(part, "thoughtSignature"));
      if (signature !== undefined && !isThoughtSignature(name, signature)) {
        throw invalidArgument("Corrupted thought signature.");
      }
      if (signature === undefined && position === 0 && index > turn && model.startsWith("gemini-3")) {
        throw invalidArgument(
          `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position ${index + 1}.`,
        );
      }
    }
  }
}
