// Unmodified agents from npm and PyPI against a gateway in front of every kind of simulated provider. A cell is green when
// the agent ends with what it was asked for, and the history that reached the provider is complete. `--agent`,
// `--provider` and `--behaviour` choose. Agents that were tried in everything get their rows in docs/gateway/clients.md.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { startSimulator } from "portico-simulator";
import { startTestGateway } from "../support/gateway.ts";
import { type Behaviour, behaviours, type Cell } from "./cells.ts";
import { stepsOf } from "./history.ts";
import { installed } from "./install.ts";
import { type Agent, agents } from "./programs.ts";
import { type Provider, providerConfig, providers } from "./providers.ts";
import { runProgram } from "./run-program.ts";
import { type Results, writeTable } from "./table.ts";

/** Milliseconds after which an agent counts as hanging: far more than any needs, also on a machine with other work. */
const RUN_TIMEOUT = 900_000;
const notes = { "note.txt": "the secret is 4711", "other.txt": "the other is 0815" };

const several = { type: "string", multiple: true } as const;
const { values } = parseArgs({
  options: { agent: several, provider: several, behaviour: several, verbose: { type: "boolean" } },
});
const chosen = <T extends { readonly title: string }>(
  all: readonly T[],
  names: readonly string[] | undefined,
) => (names === undefined ? all : all.filter(({ title }) => names.includes(title)));

const results: Results = new Map();
for (const agent of chosen(agents, values.agent)) {
  const rows = new Map<Provider, Map<Behaviour, Cell>>();
  results.set(agent, rows);
  const program = await installed(agent.package).catch((error: Error) => error);
  for (const provider of chosen(providers, values.provider)) {
    const cells = new Map<Behaviour, Cell>();
    rows.set(provider, cells);
    for (const behaviour of chosen(behaviours, values.behaviour)) {
      const cell =
        program instanceof Error
          ? { absent: program.message }
          : await tried(agent, provider, behaviour, program);
      cells.set(behaviour, cell);
      if (cell.fault !== undefined) process.exitCode = 1;
      const word = cell.absent ?? (cell.fault === undefined ? "ok" : `FAIL: ${cell.fault}`);
      process.stdout.write(`${agent.title}, ${provider.title}, ${behaviour.title}: ${word}\n`);
    }
  }
}
if (values.provider === undefined && values.behaviour === undefined) writeTable(results);

async function tried(agent: Agent, provider: Provider, behaviour: Behaviour, program: string): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), "agent-matrix-"));
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  const simulator = await startSimulator({ port: 0 });
  const gateway = await startTestGateway({ config: providerConfig(provider, simulator.url) });
  try {
    const place = { url: gateway.url, key: gateway.masterKey, model: provider.model, home, work };
    await mkdir(home);
    const files = Object.entries(notes).map(([name, text]) => [join(work, name), text] as const);
    for (const [path, text] of [...files, ...Object.entries(agent.files?.(place) ?? {})]) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    // Our own Node first: `node` in the first line of an agent is the one that runs this.
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    const env = { PATH: path, HOME: home, NO_COLOR: "1", TERM: "dumb", ...agent.environment(place) };
    const cell = await behaviour.try({
      agent,
      provider,
      place,
      notes,
      run: async (args) => {
        const { output } = await runProgram(program, args, { cwd: work, env, timeout: RUN_TIMEOUT });
        if (values.verbose) process.stdout.write(`${output}\n`);
        return output;
      },
      setFault: (rule) => simulator.setFault(rule),
      received: () => simulator.received(),
    });
    const opened = agent.overSockets !== true || /"status":101\b/.test(gateway.log());
    return opened || cell.absent !== undefined ? cell : { fault: "it opened no WebSocket" };
  } catch (error) {
    return { fault: (error as Error).message };
  } finally {
    if (values.verbose)
      for (const request of simulator.received()) {
        const { method, path, status } = request;
        const steps = stepsOf(request).map(
          ({ kind, text }) => `\n  ${kind} ${JSON.stringify(text).slice(0, 200)}`,
        );
        process.stdout.write(`${method} ${path} ${status}${steps.join("")}\n`);
      }
    await gateway.close();
    await simulator.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
