import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../contract/json.ts";
import { decodeSse } from "../../../formats/sse-event.ts";
import { headerValue } from "../../../platform/transport/headers.ts";
import type { Upstream } from "../../../platform/transport/upstream.ts";
import type { SentRecord, UpstreamResponse } from "../../../platform/transport/upstream-call.ts";
import type { CallSignal } from "../../../util/light-signal.ts";
import { A2AError } from "../protocol/a2a-error.ts";
import type { ProtocolVersion } from "../protocol/a2a-types.ts";
import { methodName, type Operation } from "../protocol/operations.ts";
import type { RemoteSettings } from "./remote-settings.ts";

/** Bytes that an answer, and one event of a stream, may have. */
const MAX_ANSWER = 32 * 1024 * 1024;

/** Parameters in the shape of each version. */
export type ParamsOf = (version: ProtocolVersion) => JsonObject;

/** An answer and the version that it is in. */
export interface RemoteAnswer {
  readonly version: ProtocolVersion;
  readonly result: unknown;
}

/** One JSON-RPC request; its parameters are in the shape of its version. */
interface RemoteRequest {
  readonly operation: Operation;
  readonly version: ProtocolVersion;
  readonly params: JsonObject;
  /** Media type of the answer. */
  readonly accept: string;
}

/** Calls remote agents by JSON-RPC, in the version that they speak. */
export class RemoteClient {
  readonly #upstream: Upstream;
  /** What agents turned out to speak, by address. */
  readonly #spoken = new Map<string, ProtocolVersion>();

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** @throws A2AError the agent's own, or -32006 for an invalid answer; GatewayError when it cannot be reached */
  async call(
    settings: RemoteSettings,
    operation: Operation,
    params: ParamsOf,
    signal: CallSignal,
    record?: SentRecord,
  ): Promise<RemoteAnswer> {
    return this.#inItsVersion(settings, async (version) => {
      const request = { operation, version, params: params(version), accept: "application/json" };
      const response = await this.#post(settings, request, signal, record);
      const bytes = await response.body.bytes(MAX_ANSWER);
      return { version, result: resultOf(bytes.toString("utf8"), response) };
    });
  }

  /** Resolves when the agent has begun to answer; leaving the loop ends the call. */
  async stream(
    settings: RemoteSettings,
    operation: Operation,
    params: ParamsOf,
    signal: CallSignal,
    record?: SentRecord,
  ): Promise<AsyncIterable<RemoteAnswer>> {
    return this.#inItsVersion(settings, async (version) => {
      const request = { operation, version, params: params(version), accept: "text/event-stream" };
      const response = await this.#post(settings, request, signal, record);
      const type = headerValue(response.headers, "content-type") ?? "";
      if (response.status === 200 && type.startsWith("text/event-stream")) return answers(response, version);
      const bytes = await response.body.bytes(MAX_ANSWER);
      return once({ version, result: resultOf(bytes.toString("utf8"), response) });
    });
  }

  /** Tries the other version where the agent does not know the method: nothing has happened then. */
  async #inItsVersion<T>(
    settings: RemoteSettings,
    run: (version: ProtocolVersion) => Promise<T>,
  ): Promise<T> {
    const first = this.#spoken.get(settings.url) ?? settings.version;
    try {
      return await run(first);
    } catch (error) {
      if (!(error instanceof A2AError) || !(error.is("methodNotFound") || error.is("versionNotSupported")))
        throw error;
      const second = first === "1.0" ? "0.3" : "1.0";
      const answer = await run(second);
      this.#spoken.set(settings.url, second);
      return answer;
    }
  }

  #post(
    settings: RemoteSettings,
    { operation, version, params, accept }: RemoteRequest,
    signal: CallSignal,
    record: SentRecord | undefined,
  ): Promise<UpstreamResponse> {
    const request = { jsonrpc: "2.0", id: randomUUID(), method: methodName(operation, version), params };
    return this.#upstream.request({
      url: settings.url,
      method: "POST",
      headers: {
        accept,
        "accept-encoding": "identity",
        "a2a-version": version,
        ...settings.headers,
        "content-type": "application/json",
      },
      body: Buffer.from(JSON.stringify(request)),
      guarded: !settings.allowPrivateNetwork,
      signal,
      record,
    });
  }
}

async function* answers(response: UpstreamResponse, version: ProtocolVersion): AsyncGenerator<RemoteAnswer> {
  for await (const { data } of decodeSse(response.body, MAX_ANSWER))
    yield { version, result: resultOf(data, response) };
}

async function* once(answer: RemoteAnswer): AsyncGenerator<RemoteAnswer> {
  yield answer;
}

/** The result in a JSON-RPC answer; its error is thrown. */
function resultOf(text: string, { status, body }: UpstreamResponse): unknown {
  const answer = parseJsonObject(text);
  if (answer !== undefined) {
    const { error, result } = answer;
    if (isJsonObject(error) && typeof error.code === "number")
      throw new A2AError(
        error.code,
        body.readable(String(error.message ?? "The agent failed")).slice(0, 1000),
      );
    if (status < 300 && "result" in answer) return result;
  }
  if (status === 401 || status === 403)
    throw new A2AError("internal", "The agent refused the gateway's credentials");
  if (status >= 300) throw new A2AError("internal", `The agent answered with status ${status}`);
  throw new A2AError("invalidAgentResponse", "The agent's answer is no JSON-RPC response");
}
