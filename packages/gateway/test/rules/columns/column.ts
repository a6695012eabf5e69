import type { Operation } from "../operations.ts";
import type { Stage, StageOptions } from "../stage.ts";

/** Why a rule says nothing about an operation. */
export interface Exemption {
  /** As the table's legend has it. */
  readonly why: string;
  /** Throws where that is not so. */
  check(stage: Stage, operation: Operation): Promise<void> | void;
}

/** One rule that every operation is tested against, or has a reason why not. */
export interface Column {
  readonly name: string;
  /** What holds for the operation, as the page says it. */
  readonly about: string;
  /** The gateway that its tests need. */
  readonly stage?: () => StageOptions;
  exempt(operation: Operation): Exemption | undefined;
  /** Tries the rule at one of the operation's paths; throws where it does not hold. */
  holds(stage: Stage, operation: Operation, form: string): Promise<void>;
}
