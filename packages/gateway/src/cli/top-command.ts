import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { type CommandHelp, checkedNumber, readArguments } from "./flags.ts";
import { GatewayClient, gatewayFlags } from "./gateway-client.ts";
import { textTable } from "./text-table.ts";

/** The help of `portico top`. */
const TOP = {
  usage: ["portico top [flags]"],
  about:
    "Shows what a running gateway does: requests, failures, tokens and spend of the last hour, by minute and by model, and which deployments cool down. Ends with Ctrl+C, or after one look where the output is no terminal.",
  flags: {
    ...gatewayFlags,
    every: { value: "SECONDS", doc: "between two looks (2)" },
    once: { doc: "look once" },
    json: { doc: "one JSON object for each look" },
  },
} as const satisfies CommandHelp;

const MINUTES = 60;
const MINUTE = 60_000;
const BARS = "▁▂▃▄▅▆▇█";

/** What one look at a gateway sees. */
interface Look {
  readonly overview: JsonObject;
  readonly health: JsonObject;
}

/** `portico top`: looks again and again. Resolves with the exit code, 1 where the first look failed. */
export async function topCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, TOP);
  if (read === undefined) return 0;
  const { every = "2", once, json } = read.values;
  const pause = checkedNumber("--every", every, 0.5, 3600) * 1000;
  const gateway = new GatewayClient(read.values);
  const isScreen = process.stdout.isTTY === true && json !== true;
  const isOnce = once === true || process.stdout.isTTY !== true;
  const show = (look: Look): string =>
    json === true ? `${JSON.stringify(look)}\n` : screen(gateway.url, look, process.stdout.rows ?? 40);
  let text = show(await lookAt(gateway));
  for (;;) {
    process.stdout.write(isScreen && !isOnce ? redrawn(text) : text);
    if (isOnce) return 0;
    await sleep(pause);
    // A gateway that restarts is there again after a while.
    text = await lookAt(gateway).then(show, (error: unknown) => `${(error as Error).message}\n`);
  }
}

async function lookAt(gateway: GatewayClient): Promise<Look> {
  const [overview, health] = await Promise.all([
    gateway.json("/ui/overview?hours=1"),
    gateway.json("/health"),
  ]);
  return { overview, health };
}

/** From the first place on, each line without the rest of what stood there, and nothing below. */
function redrawn(text: string): string {
  return `\u001b[H${text.replaceAll("\n", "\u001b[K\n")}\u001b[J`;
}

function screen(url: string, { overview, health }: Look, lines: number): string {
  const totals = objectOf(overview.totals);
  const byMinute = minutes(overview);
  const cooling = objectsOf(health.unhealthy_endpoints);
  const head = [
    `${printable(url)}  ${new Date().toLocaleTimeString()}  deployments: ${health.healthy_count} in use, ${health.unhealthy_count} in cooldown`,
    ...cooling
      .slice(0, 5)
      .map(
        (one) =>
          `  in cooldown: ${printable(one.model_name)} (${printable(one.model)}, ${printable(one.model_id)})`,
      ),
    "",
    `requests by minute  ${sparkline(byMinute)}  now ${byMinute.at(-1)}, at most ${Math.max(...byMinute)}`,
    `last hour           ${totals.requests} request${totals.requests === 1 ? "" : "s"}, ${totals.failures} failed, ${totals.prompt_tokens} + ${totals.completion_tokens} tokens, ${dollars(totals.spend)} USD`,
    "",
  ];
  const models = objectsOf(overview.models)
    .slice(0, Math.max(1, lines - head.length - 2))
    .map((one) => [
      printable(one.model) || "(none)",
      String(one.requests),
      String(one.failures),
      Number(one.average_seconds).toFixed(2),
      String(one.prompt_tokens),
      String(one.completion_tokens),
      dollars(one.spend),
    ]);
  const heads = ["MODEL", "REQUESTS", "FAILED", "SECONDS", "INPUT", "OUTPUT", "SPEND USD"];
  return `${head.join("\n")}\n${textTable([heads, ...models], new Set([1, 2, 3, 4, 5, 6]))}`;
}

/** Requests of each minute of the stretch; the overview leaves out those without any. */
function minutes({ start, series }: JsonObject): number[] {
  const first = Date.parse(String(start));
  const counts = Array.from({ length: MINUTES }, () => 0);
  for (const { time, requests } of objectsOf(series)) {
    const at = Math.round((Date.parse(String(time)) - first) / MINUTE);
    if (at in counts) counts[at] = Number(requests);
  }
  return counts;
}

function sparkline(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts
    .map((count) => (count === 0 ? " " : BARS[Math.ceil((count / most) * BARS.length) - 1]))
    .join("");
}

/** Names come from requests and configurations: what steers terminals is left out. */
function printable(text: unknown): string {
  return String(text ?? "").replaceAll(/\p{C}/gu, "");
}

const dollars = (amount: unknown): string => Number(amount).toFixed(4);
const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
