import { type Explanation, explainModel } from "../core/routing/explain.ts";
import type { GatewayConfig } from "../platform/config/gateway-config.ts";
import { loadConfig } from "../platform/config/load-config.ts";
import { formatProblem } from "../platform/config/problem.ts";
import { providerNames } from "../providers/registry.ts";
import { type CommandHelp, readArguments } from "./flags.ts";
import { UsageError } from "./usage-error.ts";
import { faultsOfConfig } from "./verify-faults.ts";

/** The help of `portico verify`. */
const VERIFY = {
  usage: ["portico verify FILE [flags]"],
  about: "Checks a configuration without calling anybody and shows what each model resolves to.",
  flags: {
    config: { value: "FILE", doc: "the configuration, as another way to name it" },
    model: { value: "NAME", doc: "show this model only" },
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
    throw new UsageError("portico verify needs one configuration file");
  const { config, warnings } = loadConfig(file, process.env, {}, { providers: providerNames });
  const faults = [
    ...warnings.filter(({ breaksCalls }) => breaksCalls).map(formatProblem),
    ...faultsOfConfig(file, config),
  ];
  const advice = warnings.filter(({ breaksCalls }) => !breaksCalls);
  for (const warning of advice) process.stdout.write(`warning: ${formatProblem(warning)}\n`);
  for (const fault of faults) process.stdout.write(`problem: ${fault}\n`);
  const names = modelNames(config);
  const explanations = (values.model === undefined ? names : [values.model]).map((name) =>
    explainModel(name, config),
  );
  for (const explanation of explanations) process.stdout.write(describe(explanation));
  const lost = explanations.flatMap(({ problem, lostFallbacks }) => problem ?? lostFallbacks).length;
  const counts = [
    counted(config.deployments.length, "deployment"),
    counted(names.length, "model"),
    counted(advice.length, "warning"),
    counted(faults.length + lost, "problem"),
  ];
  process.stdout.write(`${file}: ${counts.join(", ")}\n`);
  return faults.length + lost === 0 && (values.strict !== true || advice.length === 0) ? 0 : 1;
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

function describe({ model, attempts, fallbacks, lostFallbacks, problem }: Explanation): string {
  if (problem !== undefined) return `${model}: ${problem}\n`;
  const lines = attempts.map(
    ({ deployment, target, why }, index) => `  ${index + 1}. ${target} (deployment ${deployment}: ${why})`,
  );
  if (fallbacks.length > 0) lines.push(`  then the models ${fallbacks.join(", ")}`);
  for (const fallback of lostFallbacks) lines.push(`  the fallback ${fallback} leads to no deployment`);
  return `${model}:\n${lines.join("\n")}\n`;
}
