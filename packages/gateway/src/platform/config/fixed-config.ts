import type { ConfigSource, GatewayConfig } from "./gateway-config.ts";

/** A configuration that never changes. */
export class FixedConfig implements ConfigSource {
  readonly #config: GatewayConfig;

  constructor(config: GatewayConfig) {
    this.#config = config;
  }

  current(): GatewayConfig {
    return this.#config;
  }

  subscribe(): () => void {
    return () => {};
  }
}
