import { type Behaviour, mergeBehaviour, plainBehaviour } from "./behaviour.ts";

/** A behaviour for some routes or models, a number of times or for ever. */
export interface FaultRule extends Behaviour {
  /** Start of the request's path; absent means every path. */
  readonly path?: string;
  /** HTTP method in capitals; absent means every method. */
  readonly method?: string;
  /** Model name; a `*` at the end stands for any rest. Absent means every model. */
  readonly model?: string;
  /** How many requests it strikes. */
  readonly times?: number | "forever";
}

/** A rule with the number of requests it still strikes. */
export interface ActiveRule extends FaultRule {
  remaining: number;
}

/** The rules set over the admin endpoint or the library. */
export class FaultRules {
  #rules: ActiveRule[] = [];

  /** Adds a rule behind those already set; `times` defaults to for ever. */
  add(rule: FaultRule): void {
    const remaining = rule.times === undefined || rule.times === "forever" ? Infinity : rule.times;
    this.#rules.push({ ...rule, remaining });
  }

  /** Every rule that still strikes. */
  list(): readonly ActiveRule[] {
    return this.#rules;
  }

  clear(): void {
    this.#rules = [];
  }

  /** The behaviour for one request: every matching rule laid over the earlier ones, each used up by one. */
  take({ method, path }: { method: string; path: string }, model: string | undefined): Behaviour {
    if (this.#rules.length === 0) return plainBehaviour;
    let behaviour = plainBehaviour;
    for (const rule of this.#rules) {
      if (!matches(rule, method, path, model)) continue;
      rule.remaining -= 1;
      behaviour = mergeBehaviour(behaviour, behaviourOf(rule));
    }
    this.#rules = this.#rules.filter((rule) => rule.remaining > 0);
    return behaviour;
  }
}

function behaviourOf(rule: ActiveRule): Behaviour {
  const { method: _method, path: _path, model: _model, times: _times, remaining: _left, ...behaviour } = rule;
  return behaviour;
}

function matches(rule: FaultRule, method: string, path: string, model: string | undefined): boolean {
  if (rule.method !== undefined && method !== rule.method) return false;
  if (rule.path !== undefined && !path.startsWith(rule.path)) return false;
  if (rule.model === undefined) return true;
  if (model === undefined) return false;
  return rule.model.endsWith("*") ? model.startsWith(rule.model.slice(0, -1)) : model === rule.model;
}
