import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { startTestGateway } from "../support/gateway.ts";
import { startCollector } from "../support/otlp-collector.ts";
import { callOf, faults, type LoadCall, loadConfig, upstreamModels } from "./mixed-load.ts";

/** A call of the load with the trace that it was sent in. */
export interface SentCall extends LoadCall {
  readonly traceId: string;
  /** The caller's own span. */
  readonly spanId: string;
  readonly status: number;
}

/** A request as the simulator has it in its journal. */
interface Upstream {
  readonly model: string;
  readonly status: number;
  readonly traceparent: string;
}

/** Everything that was told of one load, by whom. */
export interface Measured {
  readonly calls: readonly SentCall[];
  readonly simulator: {
    readonly requests: readonly Upstream[];
    readonly tokens: Readonly<Record<string, { input: number; output: number }>>;
  };
  /** Values of `traceparent` that hooks saw. */
  readonly hooks: readonly string[];
  /** The text of `/metrics`. */
  readonly prometheus: string;
  readonly otlp: Awaited<ReturnType<typeof startCollector>>;
}

const HOOKS = `
import { appendFileSync } from "node:fs";
const file = new URL("./seen.txt", import.meta.url);
export async function preCall(context) {
  appendFileSync(file, context.traceparent + "\\n");
}
`;

/**
 * Sends a mixed load through a gateway to the simulator and gathers what each of them tells of it.
 * @param through starts what stands between the gateway and the collector that reads; gives its address and its end
 */
export async function measure(
  count: number,
  protocol: string,
  through?: (collector: string) => Promise<{ url: string; end(): Promise<void> }>,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "portico-telemetry-"));
  const simulator = await startSimulator();
  const otlp = await startCollector();
  const between = await through?.(otlp.url);
  try {
    const seen = join(folder, "seen.txt");
    writeFileSync(join(folder, "hooks.mjs"), HOOKS);
    writeFileSync(seen, "");
    for (const fault of faults) simulator.setFault({ times: Math.ceil(count / 20), ...fault });
    const gateway = await startTestGateway({
      config: loadConfig(simulator.url, join(folder, "hooks.mjs")),
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: between?.url ?? otlp.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_METRICS_EXPORTER: "otlp",
        OTEL_LOGS_EXPORTER: "otlp",
        OTEL_BSP_MAX_QUEUE_SIZE: "100000",
        OTEL_BLRP_MAX_QUEUE_SIZE: "100000",
        OTEL_EXPORTER_OTLP_TIMEOUT: "60000",
      },
    });
    const calls: SentCall[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) calls.push(await send(gateway, callOf(index)));
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const prometheus = await (await gateway.call("/metrics")).text();
    // What waits is sent when the gateway stops.
    await gateway.close();
    await between?.end();
    const counters = (await (await fetch(`${simulator.url}/_admin/counters`)).json()) as {
      tokens: Measured["simulator"]["tokens"];
    };
    const requests = simulator.received().map(({ path, model, status, headers }) => ({
      // Gemini's models stand in the path.
      model: model ?? /models\/([^:]+)/.exec(path)?.[1] ?? "",
      status,
      traceparent: String(headers.traceparent),
    }));
    const hooks = readFileSync(seen, "utf8").trim().split("\n");
    return { calls, simulator: { requests, tokens: counters.tokens }, hooks, prometheus, otlp };
  } finally {
    otlp.close();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function send(gateway: { url: string }, call: LoadCall): Promise<SentCall> {
  const [traceId, spanId] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  const response = await fetch(gateway.url + call.path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${call.caller.key}`,
      "content-type": "application/json",
      "x-litellm-tags": call.tag,
      traceparent: `00-${traceId}-${spanId}-01`,
      "anthropic-version": "2023-06-01",
    },
    body: JSON.stringify(call.body),
  });
  await response.text();
  return { ...call, traceId, spanId, status: response.status };
}

/** The name that callers have for an upstream's model. */
export function nameOf(model: string): string {
  const found = Object.entries(upstreamModels).find(([, [full]]) => full.split("/").at(-1) === model);
  return found?.[0] ?? model;
}
