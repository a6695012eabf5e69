import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BLACK_VERSION, pythonEnvironment } from "../../packages/formatter/conformance/black.ts";
import { type Daemon, startDaemon } from "../../packages/formatter/conformance/daemon.ts";
import { median, quantile } from "../statistics.ts";

const REQUESTS = 200;

const jetblackd = fileURLToPath(new URL("../../packages/formatter/bin/jetblackd.cjs", import.meta.url));

/**
 * What an editor waits for: one source at a time, over one connection that is kept. The daemons take turns.
 *
 * @param sources by what the table calls them.
 * @returns a table in Markdown.
 */
export async function daemonLatency(sources: ReadonlyMap<string, string>): Promise<string> {
  const bin = pythonEnvironment(`blackd-${BLACK_VERSION}`, [`black[d]==${BLACK_VERSION}`]);
  const daemons = new Map<string, Daemon & { readonly start: number }>();
  const start = async (name: string, command: string, args: readonly string[]): Promise<void> => {
    const begin = performance.now();
    const daemon = await startDaemon(command, args);
    daemons.set(name, { ...daemon, start: performance.now() - begin });
  };
  const agent = new Agent({ keepAlive: true });
  try {
    await start("jetblackd", process.execPath, [jetblackd]);
    await start(`blackd ${BLACK_VERSION}`, join(bin, "blackd"), []);
    const rows: string[] = [];
    for (const [title, source] of sources) {
      const times = new Map<string, number[]>([...daemons.keys()].map((name) => [name, []]));
      for (let count = 0; count < REQUESTS; count++)
        // Another comment each time, so that no answer can be remembered.
        for (const [name, { port }] of daemons)
          times.get(name)!.push(await timeAnswer(agent, port, `${source}# ${count}\n`));
      for (const [name, list] of times) {
        const cells = [list[0]!, median(list), quantile(list, 0.95)].map((time) => time.toFixed(2));
        const started = daemons.get(name)!.start.toFixed(0);
        rows.push(`| ${name} | ${started} | ${title} | ${REQUESTS} | ${cells.join(" | ")} |`);
      }
    }
    const head =
      "| daemon | until it answers, ms | source | requests | first, ms | median, ms | 95th percentile, ms |";
    return [head, "|---|---|---|---|---|---|---|", ...rows].join("\n");
  } finally {
    agent.destroy();
    for (const { process } of daemons.values()) process.kill();
  }
}

/** Milliseconds from sending the source to the answer's last byte. */
async function timeAnswer(agent: Agent, port: number, source: string): Promise<number> {
  const start = performance.now();
  const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path: "/" });
  sent.end(source);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`the daemon answered ${response.statusCode}`);
  return performance.now() - start;
}
