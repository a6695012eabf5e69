import type { LanguageModelV3DataContent } from "@ai-sdk/provider";

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
