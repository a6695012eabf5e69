import { isJsonObject } from "../../../contract/json.ts";
import { ConfigError } from "../problem.ts";
import { ConfigDocument } from "./config-document.ts";

/** Opens a file of `include` by its path as written there. */
export type OpenIncluded = (path: string) => { readonly file: string; readonly text: string };

/**
 * Adds the files that the document includes: their lists behind its own, their settings over its own, as LiteLLM
 * does. A file that is included includes no further one.
 */
export function includeFiles(document: ConfigDocument, open: OpenIncluded | undefined): void {
  const { include } = document.value as { include?: unknown };
  if (include === undefined || include === null) return;
  const paths = typeof include === "string" ? [include] : include;
  if (!Array.isArray(paths) || paths.some((path) => typeof path !== "string")) {
    document.error(["include"], "expected a list of paths");
  } else if (open === undefined) {
    document.error(["include"], "is not possible here; put everything into one text");
  } else for (const [index, path] of paths.entries()) includeFile(document, path, index, open);
}

function includeFile(document: ConfigDocument, path: string, index: number, open: OpenIncluded): void {
  try {
    const { file, text } = open(path);
    const part = new ConfigDocument(file, text);
    if (!isJsonObject(part.value)) part.error([], "expected a map, such as one with model_list");
    else if ("include" in part.value) part.error(["include"], "is only possible in the first file");
    else document.add(part);
    document.errors.push(...part.errors);
  } catch (error) {
    if (error instanceof ConfigError) document.errors.push(...error.problems);
    else document.error(["include", index], (error as Error).message);
  }
}
