import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFreePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

/** The release of the collector's own modules, and of those that are stable. */
const VERSION = "v0.165.0";
const STABLE = "v1.71.0";

const MODULES = `
dist: {name: collector, output_path: ./made}
receivers: [{gomod: go.opentelemetry.io/collector/receiver/otlpreceiver ${VERSION}}]
exporters: [{gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter ${VERSION}}]
providers:
  - gomod: go.opentelemetry.io/collector/confmap/provider/fileprovider ${STABLE}
  - gomod: go.opentelemetry.io/collector/confmap/provider/envprovider ${STABLE}
`;

/**
 * Makes OpenTelemetry's collector by its own builder from the Go module proxy: with what takes and passes on OTLP.
 * @returns the program; some minutes at the first time
 */
export function buildCollector(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "modules.yaml"), MODULES);
  const builder = `go.opentelemetry.io/collector/cmd/builder@${VERSION}`;
  execFileSync("go", ["run", builder, "--config", "modules.yaml"], { cwd: folder, stdio: "inherit" });
  return join(folder, "made/collector");
}

/**
 * Starts a collector that passes on what it takes. What it does not understand it refuses, and what it does it writes anew.
 * @param encoding `proto` or `json`, in which it passes things on
 */
export function throughCollector(program: string, encoding: string) {
  return (target: string): Promise<{ url: string; end(): Promise<void> }> =>
    onFreePort((port) => start(program, encoding, target, `127.0.0.1:${port}`));
}

async function start(program: string, encoding: string, target: string, address: string) {
  const folder = mkdtempSync(join(tmpdir(), "portico-collector-"));
  const pipeline = "{receivers: [otlp], exporters: [otlphttp]}";
  writeFileSync(
    join(folder, "config.yaml"),
    `
receivers: {otlp: {protocols: {http: {endpoint: "${address}"}}}}
exporters: {otlphttp: {endpoint: "${target}", encoding: ${encoding}, sending_queue: {enabled: false}, retry_on_failure: {enabled: false}}}
service:
  telemetry: {metrics: {level: none}}
  pipelines: {traces: ${pipeline}, metrics: ${pipeline}, logs: ${pipeline}}
`,
  );
  const collector = spawn(program, ["--config", join(folder, "config.yaml")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(collector, "exit");
  const end = async (): Promise<void> => {
    collector.kill("SIGTERM");
    await exited.catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
  let said = "";
  collector.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  // A program that is none, or none that can be run, has no exit.
  exited.catch((error: Error) => {
    said += error.message;
  });
  try {
    await until(() => {
      if (collector.exitCode !== null || collector.pid === undefined) throw new Error(said);
      return said.includes("Everything is ready");
    });
  } catch (error) {
    await end();
    throw error;
  }
  return { url: `http://${address}`, end };
}
