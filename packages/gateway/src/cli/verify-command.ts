import { parseArgs } from "node:util";
import { type Explanation, explainModel } from "../core/routing/explain.ts";
import { loadConfig } from "../platform/config/load-config.ts";
import { formatProblem } from "../platform/config/problem.ts";
import { providerNames } from "../providers/registry.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `portico verify CONFIG [--model NAME]`: checks a configuration without calling anybody and shows what each model,
 * or the one named, resolves to. Resolves with 0 when everything leads somewhere, else 1.
 */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { file, model } = parse(args);
  const { config, warnings } = loadConfig(file, process.env, {}, { providers: providerNames });
  for (const warning of warnings) process.stdout.write(`warning: ${formatProblem(warning)}\n`);
  const names = new Set([
    ...config.deployments.map((deployment) => deployment.modelName),
    ...Object.keys(config.routerSettings.modelGroupAlias),
    ...Object.keys(config.gatewaySettings.modelAliasMap),
  ]);
  const explanations = (model === undefined ? [...names] : [model]).map((name) => explainModel(name, config));
  for (const explanation of explanations) process.stdout.write(describe(explanation));
  const broken = explanations.flatMap(({ problem, lostFallbacks }) => problem ?? lostFallbacks).length;
  process.stdout.write(
    `${file}: ${config.deployments.length} deployments, ${names.size} models, ${warnings.length} warnings, ${broken} problems\n`,
  );
  return broken === 0 ? 0 : 1;
}

function parse(args: readonly string[]): { file: string; model: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { model: { type: "string" } },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError("portico verify needs one configuration file");
    return { file, model: values.model };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
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
