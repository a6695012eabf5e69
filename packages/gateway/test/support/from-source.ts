import { registerHooks } from "node:module";

/** Loaded by gateways that tests run from their sources: takes the simulator's sources too, instead of its bundle. */
const simulator = new URL("../../../simulator/src/index.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "portico-simulator" ? simulator : specifier, context),
});
