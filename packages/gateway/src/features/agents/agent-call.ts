import type { CallRecord } from "../../contract/call-record.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Agent } from "./agent.ts";
import type { ProtocolVersion } from "./protocol/a2a-types.ts";

/** One request to an agent, after the agent was found and the caller may see it. */
export interface AgentCall {
  readonly agent: Agent;
  readonly principal: Principal;
  /** Whose tasks and contexts the caller sees. */
  readonly tenant: string;
  readonly callId: string;
  /** The version in which the caller speaks. */
  readonly version: ProtocolVersion;
  readonly signal: AbortSignal;
  readonly call: CallRecord;
}
