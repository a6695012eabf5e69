import type {
  LanguageModelV3DataContent,
  LanguageModelV3FilePart,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";

/** A file's content as base64 text. */
export function base64Of(data: Exclude<LanguageModelV3DataContent, URL>): string {
  return typeof data === "string" ? data : Buffer.from(data).toString("base64");
}

/** A file's content as text. */
export function textOf(data: Exclude<LanguageModelV3DataContent, URL>): string {
  return Buffer.from(base64Of(data), "base64").toString("utf8");
}

/** A file as an address: its own, or a `data:` URL. */
export function urlOf(data: LanguageModelV3DataContent, mediaType: string): string {
  return data instanceof URL ? data.href : `data:${concreteType(mediaType)};base64,${base64Of(data)}`;
}

/** A media type that names one type, where the caller only said what kind it is. */
export function concreteType(mediaType: string): string {
  return mediaType === "image/*" ? "image/png" : mediaType;
}

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
