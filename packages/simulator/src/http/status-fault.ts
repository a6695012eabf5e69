import type { Behaviour } from "../faults/behaviour.ts";
import { ApiFailure } from "./api-failure.ts";

/** Throws the failure that a `status` fault asks for. */
export function throwStatusFault(behaviour: Behaviour): void {
  const { fault } = behaviour;
  if (fault?.kind !== "status") return;
  const status = fault.status ?? 500;
  throw new ApiFailure(
    status,
    fault.message ?? `Simulated failure with status ${status}.`,
    fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter },
  );
}
