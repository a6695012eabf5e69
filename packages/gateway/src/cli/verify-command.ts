import { dirname, resolve } from "node:path";
import { loadHooks } from "../core/hooks/hook-registry.ts";
import { readGuardRules } from "../core/hooks/pattern-guard.ts";
import { addressProblem } from "../core/routing/address-problem.ts";
import { type Explanation, explainModel } from "../core/routing/explain.ts";
import { silentChannels } from "../platform/config/alert-channels.ts";
import { type GatewayConfig, hasStore } from "../platform/config/gateway-config.ts";
import { loadConfig } from "../platform/config/load/load-config.ts";
import { bucketOfExport, bucketOfFiles, EXPORT_SETTING } from "../platform/config/object-storage.ts";
import { isModulePath } from "../platform/config/options/callbacks.ts";
import { formatProblem } from "../platform/config/problem.ts";
import { requireWritable } from "../platform/store/writable-folder.ts";
import { providerNames } from "../providers/registry.ts";
import { UsageError } from "./explain-error.ts";
import { type CommandHelp, readArguments } from "./flags.ts";

/** The help of `portico verify`. */
const VERIFY = {
  usage: ["portico verify FILE [flags]"],
  about: "Checks a configuration without calling anybody and shows what each model resolves to.",
  flags: {
    config: { value: "FILE", doc: "the configuration, as another way to name it" },
    model: { value: "NAME", doc: "show this model only" },
    json: { doc: "print one JSON object" },
    strict: { doc: "let warnings fail the check too" },
  },
} as const satisfies CommandHelp;

/**
 * `portico verify FILE [--model NAME] [--strict]`. Resolves with 0 when everything leads somewhere, else 1.
 */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, VERIFY);
  if (read === undefined) return 0;
  const { values, positionals } = read;
  const [file, ...more] = values.config === undefined ? positionals : [values.config, ...positionals];
  if (file === undefined || more.length > 0)
    throw new UsageError("verify needs one file, as in portico verify config.yaml");
  const { config, warnings } = loadConfig(file, process.env, {}, { providers: providerNames });
  const faults = [
    ...warnings.filter(({ breaksCalls }) => breaksCalls).map(formatProblem),
    ...faultsOfConfig(config),
    ...(await faultsOfHooks(file, config)),
    ...faultsOfStorage(config),
  ];
  const advice = [
    ...warnings.filter(({ breaksCalls }) => !breaksCalls).map(formatProblem),
    ...silentChannels(config).map(({ message }) => `${file}: general_settings.alerting: ${message}`),
  ];
  const names = modelNames(config);
  const explanations = (values.model === undefined ? names : [values.model]).map((name) =>
    explainModel(name, config),
  );
  const lost = explanations.flatMap(({ problem, lostFallbacks }) => problem ?? lostFallbacks).length;
  const code = faults.length + lost === 0 && (values.strict !== true || advice.length === 0) ? 0 : 1;
  if (values.json === true) {
    const report = { file, ok: code === 0, warnings: advice, problems: faults, models: explanations };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    return code;
  }
  for (const warning of advice) process.stdout.write(`warning: ${warning}\n`);
  for (const fault of faults) process.stdout.write(`problem: ${fault}\n`);
  for (const explanation of explanations) process.stdout.write(describe(explanation));
  const counts = [
    counted(config.deployments.length, "deployment"),
    counted(names.length, "model"),
    counted(advice.length, "warning"),
    counted(faults.length + lost, "problem"),
  ];
  process.stdout.write(`${file}: ${counts.join(", ")}\n`);
  return code;
}

function modelNames({ deployments, routerSettings, gatewaySettings }: GatewayConfig): string[] {
  return [
    ...new Set([
      ...deployments.map(({ modelName }) => modelName),
      ...Object.keys(routerSettings.modelGroupAlias),
      ...Object.keys(gatewaySettings.modelAliasMap),
    ]),
  ];
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

const SPECIAL_FAILURES = {
  "context window": "after a request that is too long",
  "content policy": "after content that the provider refuses",
} as const;

function describe(explanation: Explanation): string {
  const { model, attempts, fallbacks, specialFallbacks, lostFallbacks, problem } = explanation;
  if (problem !== undefined) return `problem: ${model}: ${problem}\n`;
  const lines = attempts.map(
    ({ deployment, target, why }, index) => `  ${index + 1}. ${target} (deployment ${deployment}: ${why})`,
  );
  if (fallbacks.length > 0) lines.push(`  then the models ${fallbacks.join(", ")}`);
  for (const { after, models } of specialFallbacks)
    lines.push(`  ${SPECIAL_FAILURES[after]}: ${models.length === 0 ? "no other model" : models.join(", ")}`);
  for (const fallback of lostFallbacks)
    lines.push(`problem: ${model}: the fallback ${fallback} leads to no deployment`);
  return `${model}:\n${lines.join("\n")}\n`;
}

/** What a readable configuration cannot do all the same, a sentence each; nobody is called. */
function faultsOfConfig(config: GatewayConfig): string[] {
  return [...missingModels(config), ...otherDatabase(config), ...unreachable(config)];
}

function missingModels({ deployments }: GatewayConfig): string[] {
  return deployments.length > 0 ? [] : ["there are no models: model_list is empty or missing"];
}

function otherDatabase({ generalSettings, environment }: GatewayConfig): string[] {
  const url = generalSettings.databaseUrl ?? environment.DATABASE_URL ?? "";
  if (url === "" || url === "none" || /^postgres(ql)?:\/\//.test(url)) return [];
  return ["DATABASE_URL (or general_settings.database_url) must begin with postgres:// or be none"];
}

/** Imports the hook modules as a start does, and reads the guard's rules. */
async function faultsOfHooks(file: string, { gatewaySettings }: GatewayConfig): Promise<string[]> {
  const { callbacks, guard } = gatewaySettings;
  const folder = dirname(resolve(file));
  const loads = callbacks.filter(isModulePath).map((path): Promise<unknown> => loadHooks(path, folder));
  if (guard !== undefined) loads.push(readGuardRules(guard, folder));
  const loaded = await Promise.allSettled(loads);
  return loaded.flatMap((one) => (one.status === "rejected" ? [(one.reason as Error).message] : []));
}

/** What is missing or cannot be written where files and spend rows are kept; nothing is written and nobody is asked. */
function faultsOfStorage(config: GatewayConfig): string[] {
  const { spendExport } = config.generalSettings;
  const reads: (() => unknown)[] = [() => bucketOfFiles(config)];
  if (spendExport !== undefined && hasStore(config))
    reads.push(() => bucketOfExport(spendExport, config) ?? requireWritable(spendExport, EXPORT_SETTING));
  return reads.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

/** Deployments whose provider cannot tell where to send a call; a missing key may come with the environment. */
function unreachable({ deployments }: GatewayConfig): string[] {
  return deployments.flatMap((deployment) => {
    const reason = addressProblem(deployment);
    return reason === undefined ? [] : [`${deployment.modelName} (deployment ${deployment.id}): ${reason}`];
  });
}
