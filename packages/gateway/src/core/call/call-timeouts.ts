import type { Deployment } from "../../contract/deployment.ts";
import type { CallTimeouts } from "../../platform/transport/upstream-call.ts";
import type { PreparedCall } from "./prepared-call.ts";

/**
 * The timeouts of a call in seconds. For the whole call the first of: command line, the caller's header, the
 * deployment, the router, the gateway; for a stream's first byte: header, deployment, router.
 */
export function callTimeouts(
  { config, steering, stream }: PreparedCall,
  { timeouts }: Deployment,
): Partial<CallTimeouts> {
  const { commandLine, routerSettings, gatewaySettings } = config;
  const whole =
    commandLine.requestTimeout ??
    steering.timeout ??
    timeouts.whole ??
    routerSettings.timeout ??
    gatewaySettings.requestTimeout;
  const firstByte = steering.streamTimeout ?? timeouts.firstByte ?? routerSettings.streamTimeout;
  return {
    whole,
    ...(stream && firstByte !== undefined ? { firstByte } : {}),
    ...(timeouts.connect === undefined ? {} : { connect: timeouts.connect }),
    ...(timeouts.betweenChunks === undefined ? {} : { betweenChunks: timeouts.betweenChunks }),
  };
}
