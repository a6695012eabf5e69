import { Agent, type AgentOptions, type ClientRequestArgs } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { publicAddress } from "./address-guard.ts";
import { bare, type ForwardProxy, portOf } from "./proxies.ts";
import { openTunnel } from "./tunnel.ts";

type Created = (error: Error | null, socket: Duplex) => void;

/**
 * Connections of Node's own HTTP client through a proxy, for libraries that use it: by a tunnel, for plain HTTP too.
 * @param protocol of what lies behind the proxy
 * @param isGuarded whether the host must lie in the public internet
 */
export async function tunnelAgent(
  proxy: ForwardProxy,
  protocol: string,
  isGuarded: boolean,
  options: AgentOptions,
): Promise<Agent> {
  const secure = protocol === "https:";
  // It loads TLS, which takes a while of each start.
  const Base = secure ? (await import("node:https")).Agent : Agent;
  class TunnelAgent extends Base {
    override createConnection(to: ClientRequestArgs, created: Created): null {
      const host = bare(to.host ?? "");
      const fail = (error: Error) => created(error, undefined as never);
      const tunnelTo = (place: string) => {
        const socket: Socket = openTunnel(proxy, place, portOf(protocol, String(to.port ?? "")), (error) => {
          if (error !== undefined) fail(error);
          else if (secure) created(null, super.createConnection({ ...to, socket } as ClientRequestArgs)!);
          else created(null, socket);
        });
      };
      if (isGuarded) publicAddress(host).then(tunnelTo, fail);
      else tunnelTo(host);
      return null;
    }
  }
  return new TunnelAgent(options);
}
