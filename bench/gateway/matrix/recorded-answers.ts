import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { freePort, startProcess } from "../processes.ts";
import { ANSWER_MODES, type AnswerMode, type Format, PATHS } from "./cases.ts";

const portico = resolve(import.meta.dirname, "../../../packages/gateway/bin/portico.js");

/** The simulator answers with what it is asked, a few characters an event: some 60 events. */
const QUESTION = "The quick brown fox jumps over the lazy dog. ".repeat(5);

/**
 * Has the simulator answer once in each format, whole and as a stream, and keeps its answers as files: `MODE/v1/PATH` below the
 * folder. So every subject gets what a provider sends, to the byte, from a server that costs nothing.
 */
export async function recordAnswers(folder: string): Promise<void> {
  const port = await freePort();
  const simulator = await startProcess(
    {
      command: process.execPath,
      args: [portico, "simulate", "--port", String(port)],
      logFile: join(folder, "simulator.log"),
    },
    port,
  );
  try {
    for (const format of Object.keys(PATHS) as Format[])
      for (const mode of ANSWER_MODES)
        keep(join(folder, mode, PATHS[format]), await answerOf(port, format, mode));
  } finally {
    await simulator.stop();
  }
}

function keep(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function answerOf(port: number, format: Format, mode: AnswerMode): Promise<string> {
  const host = format === "messages" ? "anthropic" : "openai";
  const messages = [{ role: "user", content: QUESTION }];
  const stream = mode !== "whole";
  const usage = stream && format === "chat" ? { stream_options: { include_usage: true } } : {};
  const model = format === "messages" ? "claude-sonnet-4-5" : "gpt-4o-mini";
  const body =
    format === "responses"
      ? { model, input: QUESTION, store: false, stream }
      : { model, max_tokens: 500, messages, stream, ...usage };
  const answer = await fetch(`http://127.0.0.1:${port}/${host}${PATHS[format]}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      authorization: "Bearer any",
      "x-api-key": "any",
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The simulator answered ${answer.status}: ${text.slice(0, 300)}`);
  return text;
}

/** How many events a recorded stream has. */
export function eventsIn(text: string): number {
  return text.split("\n\n").filter((event) => event.trim() !== "").length;
}
