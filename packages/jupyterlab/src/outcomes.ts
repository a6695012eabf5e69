import { type ProjectSettings, UsageError } from "jetblack/editor";
import { formatTarget, type Outcome, type Target } from "./format-text.ts";
import type { SharedText } from "./jupyterlab.ts";

interface Known {
  /** Stands for the settings. */
  readonly key: string;
  readonly source: string;
  readonly outcome: Outcome;
}

/** What came of a text last; saving a long notebook then takes the time of the cells that have changed. */
const known = new WeakMap<SharedText, Known>();

/**
 * Formats a text unless it is as it was left the last time.
 *
 * @param key another one for other settings
 */
export function outcomeOf(target: Target, settings: ProjectSettings, key: string): Outcome {
  const { text } = target;
  const last = known.get(text);
  if (last !== undefined && last.key === key && last.source === text.getSource()) return last.outcome;
  const outcome = attempt(target, settings);
  const next: Outcome = outcome.kind === "changed" ? { kind: "unchanged" } : outcome;
  known.set(text, { key, source: text.getSource(), outcome: next });
  return outcome;
}

/** One text that fails keeps no other from being formatted, and no document from being saved. */
function attempt(target: Target, settings: ProjectSettings): Outcome {
  try {
    return formatTarget(target, settings);
  } catch (error) {
    return failure(error);
  }
}

/** A fault of ours is for the console, too. */
export function failure(error: unknown): Outcome {
  if (!(error instanceof UsageError))
    queueMicrotask(() => {
      throw error;
    });
  return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
}
