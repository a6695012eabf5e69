import type { Position, Range } from "vscode-languageserver-protocol";
import { ErrorCode, RequestError } from "./messages.ts";

/** Largest number that the protocol's `uinteger` holds. */
const MAX_UINTEGER = 2 ** 31 - 1;

/** A message's parameters, or a part of them, as an object. Throws `RequestError` like all functions here. */
export function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${what} is an object`);
  return value as Record<string, unknown>;
}

/** A member that is a text. */
export function textOf(value: unknown, what: string): string {
  if (typeof value !== "string") throw invalid(`${what} is a text`);
  return value;
}

/** A member that is a list. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`${what} is a list`);
  return value;
}

/** A member that counts from 0. */
export function indexOf(value: unknown, what: string): number {
  const index = integerOf(value, what);
  if (index < 0) throw invalid(`${what} counts from 0`);
  return index;
}

/** A member that is a number of the protocol's kind `integer`. */
export function integerOf(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || Math.abs(value as number) > MAX_UINTEGER)
    throw invalid(`${what} is a whole number`);
  return value as number;
}

/** `textDocument.uri` of the parameters. */
export function documentUri(params: unknown): string {
  const document = objectOf(objectOf(params, "params").textDocument, "textDocument");
  return textOf(document.uri, "textDocument.uri");
}

/** A range whose end does not come before its start. */
export function rangeOf(value: unknown): Range {
  const range = objectOf(value, "range");
  const start = positionOf(range.start);
  const end = positionOf(range.end);
  if (end.line < start.line || (end.line === start.line && end.character < start.character))
    throw invalid("range.end does not come before range.start");
  return { start, end };
}

function positionOf(value: unknown): Position {
  const { line, character } = objectOf(value, "position");
  const position = { line: integerOf(line, "line"), character: integerOf(character, "character") };
  if (position.line < 0 || position.character < 0) throw invalid("a position counts from 0");
  return position;
}

function invalid(rule: string): RequestError {
  return new RequestError(ErrorCode.invalidParams, `Invalid parameters: ${rule}.`);
}
