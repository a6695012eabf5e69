import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { type JsonObject, parseJson } from "../../contract/json.ts";
import { checkJsonLimits, readPassingBody } from "../../contract/json-body.ts";
import { fieldsIn, fieldsOfLine, firstFields, formBody, MULTIPART, ONE_LINE } from "./passed-form.ts";

/** A request's body: what hooks see of it, and what goes out when they have seen it. */
export interface PassedBody {
  readonly data: JsonObject;
  /**
   * The members, of a form the fields, in which a request names its customer and its tags.
   * @param changed the data as hooks left them
   */
  named(changed: JsonObject): JsonObject | Promise<JsonObject>;
  /** @param changed the data as hooks left them */
  finished(changed: JsonObject): Promise<SentBody>;
}

export interface SentBody {
  readonly bytes: Buffer | undefined;
  /** In place of the caller's, where the body was made anew. */
  readonly contentType?: string;
}

/** Of a request without a body. */
export const noPassedBody: PassedBody = {
  data: {},
  named: () => ({}),
  finished: async () => ({ bytes: undefined }),
};

/**
 * Reads a body for hooks: the members of a JSON object, the fields of a form with the names of its files
 * (`form`), or another text (`text`): its values where it is JSON, lines of JSON or a form in a line, whatever its type
 * says. Bytes that are no text pass unseen, like pictures in other requests.
 * @param isSeen whether any hook looks; what nobody saw goes out as it came
 * @throws GatewayError 400 for a body that is not what its type says, 415 for a compressed one
 */
export async function readPassedBody(exchange: Exchange, isSeen: boolean): Promise<PassedBody> {
  const encoding = exchange.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw new GatewayError(415, "invalid_request_error", "Compressed bodies do not pass through.");
  const bytes = await exchange.readBody();
  if (bytes.length === 0) return noPassedBody;
  const type = exchange.headers["content-type"] ?? "";
  if (/^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type) || type === "")
    return jsonBody(bytes, isSeen);
  if (!isSeen) return { data: {}, named: () => fieldsIn(bytes, type), finished: async () => ({ bytes }) };
  if (MULTIPART.test(type)) return formBody(bytes, type);
  return textBody(bytes, type);
}

function jsonBody(bytes: Buffer, isSeen: boolean): PassedBody {
  const { body, raw } = readPassingBody(bytes);
  return {
    data: body,
    named: (changed) => changed,
    finished: async (changed) => ({
      bytes: isSeen || raw === undefined ? Buffer.from(JSON.stringify(changed)) : raw,
      contentType: "application/json",
    }),
  };
}

/** Types whose bytes are text, so that hooks have to see them. */
const OF_TEXT =
  /^\s*(?:text\/|application\/(?:[\w.-]*(?:json|xml|yaml)[\w.-]*|[\w.-]+\+\w+|x-www-form-urlencoded))/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?(?:utf-?8|us-ascii|ascii)"?\s*(?:;|$))/i;

function textBody(bytes: Buffer, type: string): PassedBody {
  const isText = OF_TEXT.test(type);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    if (isText) throw invalidRequest("The body is not valid UTF-8", "request_body");
    return { data: {}, named: () => ({}), finished: async () => ({ bytes }) };
  }
  if (isText && OTHER_CHARSET.test(type))
    throw new GatewayError(415, "invalid_request_error", "Texts pass through in UTF-8 alone.");
  const { value, write } = writtenIn(text, type);
  return {
    data: { text: value },
    named: ({ text: pairs }) => (ONE_LINE.test(type) ? firstFields(pairs) : {}),
    finished: async ({ text: changed }) => {
      if (typeof changed !== typeof value || Array.isArray(changed) !== Array.isArray(value))
        throw invalidRequest("A hook must leave the body a text", "text");
      return { bytes: Buffer.from(write(changed)) };
    },
  };
}

interface Written {
  readonly value: unknown;
  write(changed: unknown): string;
}

/** What a text says to its reader, without the escapes in which it says it: what hooks look for must stand there. */
function writtenIn(text: string, type: string): Written {
  if (ONE_LINE.test(type))
    return {
      value: [...fieldsOfLine(text)],
      write: (changed) => new URLSearchParams(changed as [string, string][]).toString(),
    };
  if (!/^\uFEFF?\s*[[{"]/.test(text)) return { value: text, write: String };
  const whole = jsonIn(text.replace(/^\uFEFF/, ""));
  if (whole !== undefined)
    return { value: [whole], write: (changed) => JSON.stringify((changed as [unknown])[0]) };
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const values = lines.map(jsonIn);
  if (values.includes(undefined)) return { value: text, write: String };
  return {
    value: values,
    write: (changed) => (changed as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join(""),
  };
}

/** A value of JSON; `undefined` for what is none. @throws GatewayError where there are too many values in it */
function jsonIn(text: string): unknown {
  checkJsonLimits(Buffer.from(text), text);
  return parseJson(text);
}
