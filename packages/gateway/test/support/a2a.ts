import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { decodeSse } from "../../src/formats/sse-event.ts";
import type { CallInit, TestGateway } from "./gateway.ts";

type Json = Record<string, unknown>;

/** A JSON-RPC answer. */
export interface RpcAnswer {
  readonly status: number;
  readonly result: Json;
  readonly error: { code: number; message: string } | undefined;
}

/** Registers an agent, in place of one that an earlier attempt at the test has left, and returns its id. */
export async function register(gateway: TestGateway, agent: Json, key?: string): Promise<string> {
  const before = (await (await gateway.call("/v1/agents")).json()) as {
    agent_id: string;
    agent_name: string;
  }[];
  const left = before.find(({ agent_name }) => agent_name === agent.agent_name);
  if (left !== undefined) await gateway.call(`/v1/agents/${left.agent_id}`, { method: "DELETE" });
  const response = await gateway.call("/v1/agents", { body: agent, ...(key === undefined ? {} : { key }) });
  expect(response.status).toBe(200);
  return ((await response.json()) as { agent_id: string }).agent_id;
}

/** One JSON-RPC call. */
export async function rpc(
  gateway: TestGateway,
  agent: string,
  method: string,
  params: Json,
  init: CallInit = {},
): Promise<RpcAnswer> {
  const body = { jsonrpc: "2.0", id: "call", method, params };
  const response = await gateway.call(`/a2a/${agent}`, { body, ...init });
  const answer = (await response.json()) as { result: Json; error: RpcAnswer["error"] };
  return { status: response.status, result: answer.result, error: answer.error };
}

/** The results of a streaming call as they come. */
export async function* rpcStream(
  gateway: TestGateway,
  agent: string,
  method: string,
  params: Json,
  init: CallInit = {},
): AsyncGenerator<Json> {
  const body = { jsonrpc: "2.0", id: "call", method, params };
  const response = await gateway.call(`/a2a/${agent}`, { body, ...init });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  for await (const { data } of decodeSse(response.body!)) {
    const answer = JSON.parse(data) as { result?: Json; error?: Json };
    yield answer.result ?? { error: answer.error };
  }
}

/** Parameters of `message/send` in version 0.3. */
export function legacyMessage(text: string, more: Json = {}, configuration?: Json): Json {
  const message = {
    kind: "message",
    messageId: randomUUID(),
    role: "user",
    parts: [{ kind: "text", text }],
    ...more,
  };
  return { message, ...(configuration === undefined ? {} : { configuration }) };
}

/** Parameters of `SendMessage` in version 1.0. */
export function message(text: string, more: Json = {}, configuration?: Json): Json {
  const content = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more };
  return { message: content, ...(configuration === undefined ? {} : { configuration }) };
}

/** The text of a task's artifacts, in either version. */
export function answerText(task: unknown): string {
  const { artifacts } = task as { artifacts?: { parts: { text?: string }[] }[] };
  return (artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text ?? "")).join("");
}
