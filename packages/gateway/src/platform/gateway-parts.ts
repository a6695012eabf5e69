import type { ConfigSource } from "./config/gateway-config.ts";
import type { Logger } from "./log/logger.ts";

/** What the process brings along; everything else the gateway makes itself. */
export interface GatewayParts {
  readonly config: ConfigSource;
  readonly dataDirectory: string;
  /** Relative paths of hook modules count from here. */
  readonly baseFolder: string;
  /** In force while the configuration names no master key. */
  readonly generatedMasterKey: string | undefined;
  readonly logger: Logger;
}
