import { isJsonObject } from "../../../contract/json.ts";
import { type Option, WrongValue } from "./option.ts";

const SHAPE = "a map from priorities to numbers from 0 to 1";

/** The parts of deployments' limits that are kept for priorities. */
export function priorityShares(doc: string): Option<Readonly<Record<string, number>>> {
  return { shape: SHAPE, initial: {}, doc, read: readShares };
}

function readShares(value: unknown): Readonly<Record<string, number>> | WrongValue {
  if (!isJsonObject(value)) return new WrongValue(`expected ${SHAPE}`);
  const shares: [string, number][] = [];
  for (const [priority, given] of Object.entries(value)) {
    if (priority === "") return new WrongValue("expected the name of a priority", [priority]);
    if (isJsonObject(given) && (given.type === "rpm" || given.type === "tpm"))
      return new WrongValue("expected a part of the limits, from 0 to 1: each deployment has its own", [
        priority,
      ]);
    const share = isJsonObject(given) && given.type === "percent" ? given.value : given;
    if (!isPart(share)) return new WrongValue("expected a number from 0 to 1", [priority]);
    shares.push([priority, share]);
  }
  return Object.fromEntries(shares);
}

/** How priorities' shares are kept. */
export interface PrioritySettings {
  readonly defaultPriority: number;
  readonly saturationThreshold: number;
}

/** LiteLLM's `PriorityReservationSettings`. */
const members = { default_priority: "defaultPriority", saturation_threshold: "saturationThreshold" } as const;
/** Counts are exact here, so that there is nothing to remember for a while and nothing to make up for. */
const WITHOUT_EFFECT = ["saturation_check_cache_ttl", "tracking_multiplier"];
const SETTINGS_SHAPE = `a map of ${Object.keys(members).join(", ")} to numbers from 0 to 1`;

export function prioritySettings(doc: string): Option<PrioritySettings> {
  const initial: PrioritySettings = { defaultPriority: 0.25, saturationThreshold: 0.5 };
  return {
    shape: SETTINGS_SHAPE,
    initial,
    doc,
    read: (value) => {
      if (!isJsonObject(value)) return new WrongValue(`expected ${SETTINGS_SHAPE}`);
      const settings = { ...initial };
      for (const [name, part] of Object.entries(value)) {
        if (WITHOUT_EFFECT.includes(name) || part === null) continue;
        if (!Object.hasOwn(members, name))
          return new WrongValue(`expected one of ${Object.keys(members).join(", ")}`, [name]);
        if (!isPart(part)) return new WrongValue("expected a number from 0 to 1", [name]);
        settings[members[name as keyof typeof members]] = part;
      }
      return settings;
    },
  };
}

function isPart(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}
