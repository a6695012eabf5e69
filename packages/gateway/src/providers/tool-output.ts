import type { LanguageModelV3FilePart, LanguageModelV3ToolResultOutput } from "@ai-sdk/provider";

/** The text of a tool's result, for providers whose results are text. */
export function toolOutputText(output: LanguageModelV3ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The tool was not run.";
    case "content":
      return output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  }
}

/** The pictures and files of a tool's result. */
export function toolOutputFiles(output: LanguageModelV3ToolResultOutput): LanguageModelV3FilePart[] {
  if (output.type !== "content") return [];
  return output.value.flatMap((part): LanguageModelV3FilePart[] => {
    switch (part.type) {
      case "image-data":
      case "file-data":
        return [{ type: "file", data: part.data, mediaType: part.mediaType }];
      case "image-url":
        return [{ type: "file", data: new URL(part.url), mediaType: "image/*" }];
      case "file-url":
        return [{ type: "file", data: new URL(part.url), mediaType: part.mediaType ?? "application/pdf" }];
      default:
        return [];
    }
  });
}
