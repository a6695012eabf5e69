// Takes each feature out of a copy of the sources, or those that the arguments name: types, bundle and start must stay
// in order.
import { allFeatures, checkWithout, withDependents } from "./without-feature.ts";

const wanted = process.argv.length > 2 ? process.argv.slice(2) : allFeatures;
const unknown = wanted.filter((name) => !allFeatures.includes(name));
if (unknown.length > 0)
  throw new Error(`No such feature: ${unknown.join(", ")}. There are ${allFeatures.join(", ")}.`);

let failed = 0;
for (const [index, feature] of wanted.entries()) {
  const [, ...dependents] = withDependents(feature);
  const also = dependents.length === 0 ? "" : ` (and ${dependents.join(", ")})`;
  process.stdout.write(`${index + 1}/${wanted.length} without ${feature}${also}: `);
  try {
    await checkWithout(feature);
    process.stdout.write("types, bundle and start pass\n");
  } catch (error) {
    failed += 1;
    process.stdout.write(`${(error as Error).message}\n`);
  }
}
if (failed > 0) process.exitCode = 1;
