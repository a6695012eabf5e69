import { percentDecoded } from "../config/options/otlp-targets.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the process says of itself with whatever it sends. */
export function resourceOf(environment: Environment, version: string): Record<string, string> {
  return {
    ...resourceAttributes(environment.OTEL_RESOURCE_ATTRIBUTES),
    "service.name": environment.OTEL_SERVICE_NAME || "portico",
    "service.version": version,
  };
}

/** `key=value,key=value`, percent-encoded (`OTEL_RESOURCE_ATTRIBUTES`). */
function resourceAttributes(text = ""): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const [name = "", value] = pair.split("=").map((part) => part.trim());
      return name === "" || value === undefined ? [] : [[name, percentDecoded(value)]];
    }),
  );
}
