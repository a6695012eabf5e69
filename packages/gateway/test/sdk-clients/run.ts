// Unmodified clients from npm and PyPI, at the versions that are newest at the time, against a gateway in front of
// simulated OpenAI, Anthropic and Gemini. A cell is green when the client ends with what it was asked for; for tools also
// when all calls and results reached the provider. What fails on the provider whose format the client speaks is tried
// without the gateway as well: what fails there, too, is the client's own fault. `--client`, `--way` and `--provider`
// choose; `--write` renews the table in docs/gateway/clients.md.
import { parseArgs } from "node:util";
import { startSimulator } from "portico-simulator";
import { stepsOf, unpaired } from "../agent-matrix/history.ts";
import { type Provider, providerConfig, providers } from "../agent-matrix/providers.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type Client, clients } from "./clients.ts";
import { type Installed, installNewest } from "./install.ts";
import { type Behaviour, behaviours, type Cell, type Outcome, writeTable } from "./table.ts";

const several = { type: "string", multiple: true } as const;
const { values } = parseArgs({
  options: {
    client: several,
    way: several,
    provider: several,
    write: { type: "boolean" },
    verbose: { type: "boolean" },
  },
});
const isChosen = (name: string, names: readonly string[] | undefined) => names?.includes(name) ?? true;
const chosen = providers.filter(
  ({ title }) => ["OpenAI", "Anthropic", "Gemini"].includes(title) && isChosen(title, values.provider),
);

/** Whose format the ways are. */
const ownProvider: Readonly<Record<string, string>> = {
  chat: "OpenAI",
  responses: "OpenAI",
  messages: "Anthropic",
  contents: "Gemini",
};

const outcomes: Outcome[] = [];
for (const client of clients.filter(({ title }) => isChosen(title, values.client))) {
  const installed = await installNewest(client.packages);
  for (const way of client.ways.filter((name) => isChosen(name, values.way)))
    for (const provider of chosen) {
      const cells = await tried(client, installed, way, provider);
      outcomes.push({ client, version: installed.version, way, provider, cells });
      const words = [...cells].map(([{ name }, { fault, anyway }]) => {
        if (fault === undefined) return `${name} ok`;
        return anyway ? `${name} fails without the gateway, too (${fault})` : `${name} FAILS (${fault})`;
      });
      process.stdout.write(
        `${client.title} ${installed.version}, ${way}, ${provider.title}: ${words.join("; ")}\n`,
      );
      if ([...cells.values()].some(({ fault, anyway }) => fault !== undefined && !anyway))
        process.exitCode = 1;
    }
}
if (values.write) writeTable(outcomes);

/** What became of each behaviour that the client has. */
async function tried(
  client: Client,
  installed: Installed,
  way: string,
  provider: Provider,
): Promise<Map<Behaviour, Cell>> {
  const faults = await faultsOf(client, installed, way, provider, true);
  const fails = [...faults.values()].some((fault) => fault !== null);
  const bare =
    fails && ownProvider[way] === provider.title
      ? await faultsOf(client, installed, way, provider, false)
      : undefined;
  const cells = behaviours.flatMap((behaviour): [Behaviour, Cell][] => {
    const fault = faults.get(behaviour.name);
    if (fault === undefined) return [];
    return [
      [behaviour, fault === null ? {} : { fault, anyway: typeof bare?.get(behaviour.name) === "string" }],
    ];
  });
  return new Map(cells);
}

/** What went wrong, by behaviour; `null` where all went well. */
async function faultsOf(
  client: Client,
  installed: Installed,
  way: string,
  provider: Provider,
  throughGateway: boolean,
): Promise<Map<string, string | null>> {
  const model = client.knownModel?.[way] ?? provider.model;
  const simulator = await startSimulator({ port: 0 });
  const gateway = throughGateway
    ? await startTestGateway({ config: providerConfig({ ...provider, model }, simulator.url) })
    : undefined;
  try {
    const { code, output } = await installed.check(client.check, [way], {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PYTHONWARNINGS: "ignore",
      GATEWAY_URL: gateway?.url ?? `${simulator.url}${provider.prefix}`,
      GATEWAY_KEY: gateway?.masterKey ?? "simulated",
      GATEWAY_MODEL: model,
      SIMULATOR_URL: simulator.url,
      SIMULATOR_PATH: provider.prefix,
    });
    if (values.verbose) process.stdout.write(output);
    const faults = new Map<string, string | null>();
    for (const line of output.split("\n").filter((each) => each.startsWith("CELL "))) {
      const { behaviour, fault } = JSON.parse(line.slice(5)) as { behaviour: string; fault: string | null };
      faults.set(behaviour, fault?.slice(0, 600) ?? null);
    }
    if (code !== 0 || faults.size === 0)
      faults.set("answer", `ended with ${code}: ${output.trim().slice(-600)}`);
    const missing = lostOfLoop(provider, simulator.received());
    if (faults.get("tools") === null && missing !== undefined) faults.set("tools", missing);
    return faults;
  } finally {
    await gateway?.close();
    await simulator.close();
  }
}

/** What the provider's last request of the tool loop lacks of three calls and their results. */
function lostOfLoop({ title }: Provider, received: Parameters<typeof stepsOf>[0][]): string | undefined {
  // Of a message thread the provider has the calls; it refuses results without them, so that the loop would not end.
  if (received.some(({ body }) => JSON.stringify(body ?? "").includes('"previous_message_id"')))
    return undefined;
  const steps = received
    .filter(({ method, body }) => method === "POST" && JSON.stringify(body ?? "").includes("kumquat"))
    .map(stepsOf)
    .reduce((longest, each) => (each.length > longest.length ? each : longest), []);
  const count = (wanted: string) => steps.filter(({ kind }) => kind === wanted).length;
  if (count("call") !== 3 || count("result") !== 3)
    return `${count("call")} calls and ${count("result")} results of 3 reached the provider`;
  // google-genai's results name their function and no call, which Gemini takes.
  return title === "Gemini" ? undefined : unpaired(steps);
}
