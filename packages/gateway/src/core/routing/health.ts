import type { GatewayError } from "../../contract/errors.ts";
import type { WireFormat } from "../../contract/wire-format.ts";

/** What a plan may know about a deployment at this moment. */
export interface DeploymentState {
  /** Calls running now. */
  readonly inFlight: number;
  /** Milliseconds to the first byte, averaged over the last calls; absent before the first. */
  readonly latencyMs: number | undefined;
  /** Since the minute began. */
  readonly requests: number;
  readonly tokens: number;
  /** Milliseconds until the deployment may be tried again; 0 when it may. */
  readonly cooldownMs: number;
}

/** What planning reads. Replicas may share it. */
export interface HealthView {
  state(deploymentId: string): DeploymentState;
}

/** When a deployment goes into cooldown; of the router's settings. */
export interface CooldownRules {
  readonly allowedFails: number;
  /** Seconds. */
  readonly cooldownTime: number;
  readonly disableCooldowns: boolean;
  /** `allowedFails` holds for errors too that otherwise lead to a cooldown at once. */
  readonly isPatient?: boolean;
}

/** What of an error says how a deployment is. */
export type Failure = Pick<GatewayError, "status" | "retryAfter">;

/** What a process notices of a deployment that others should know at once. */
export type HealthEvent =
  | { readonly kind: "failed"; readonly id: string; readonly error: Failure; readonly rules: CooldownRules }
  | { readonly kind: "probing" | "recovered" | "abandoned"; readonly id: string };

/** Calls of a deployment in another process. */
export interface ForeignCalls {
  readonly inFlight: number;
  readonly latencyMs: number | undefined;
  /** The minute that the next two figures are about. */
  readonly minute: number;
  readonly requests: number;
  readonly tokens: number;
}

/** What calls report: `began`, then one of `succeeded`, `failed` and `abandoned`, and `ended` when all is over. */
export interface HealthBook extends HealthView {
  /** A call goes out; at a half-open deployment, whose cooldown is over, it is the probe, and others wait for its result. */
  began(deploymentId: string): void;
  /** The answer has begun. */
  succeeded(deploymentId: string, firstByteMs: number): void;
  failed(deploymentId: string, error: Failure, rules: CooldownRules): void;
  /** The call says nothing about the deployment: its caller left, or was at fault itself. */
  abandoned(deploymentId: string): void;
  /** @param tokens that the call used */
  ended(deploymentId: string, tokens: number | undefined): void;
  /** The deployment's host turned out not to have a format that its provider has. */
  noteMissingFormat(deploymentId: string, format: WireFormat): void;
  /** Whether that was noted lately. */
  lacksFormat(deploymentId: string, format: WireFormat): boolean;
}

interface Entry {
  inFlight: number;
  latencyMs: number | undefined;
  minute: number;
  requests: number;
  tokens: number;
  /** Times of the failures within the last minute. */
  failures: number[];
  cooldownUntil: number;
  /** It has been in cooldown, and no call has succeeded since. */
  halfOpen: boolean;
  probing: boolean;
}

const MINUTE_MS = 60_000;
/** Weight of the newest call in the average latency. */
const NEWEST_WEIGHT = 0.3;
/** Milliseconds after which a host is asked again for a format that it did not have. */
const MISSING_FORMAT_MS = 600_000;
/** A probe whose result never came is forgotten after this time. */
const PROBE_MS = 30_000;

/** Health of all deployments, kept in this process; workers of one gateway tell each other what they notice. */
export class DeploymentHealth implements HealthBook {
  readonly #entries = new Map<string, Entry>();
  readonly #missingFormats = new Map<string, number>();
  readonly #now: () => number;
  readonly #tell: ((event: HealthEvent) => void) | undefined;
  /** Calls of other processes, by process and deployment; absent in a gateway of one process. */
  #foreign: ReadonlyMap<number, ReadonlyMap<string, ForeignCalls>> | undefined;

  /**
   * @param now milliseconds, never running backwards
   * @param tell hears what other processes should know
   */
  constructor(now: () => number = () => performance.now(), tell?: (event: HealthEvent) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  state(deploymentId: string): DeploymentState {
    if (this.#foreign !== undefined) this.#entry(deploymentId);
    const entry = this.#entries.get(deploymentId);
    if (entry === undefined)
      return { inFlight: 0, latencyMs: undefined, requests: 0, tokens: 0, cooldownMs: 0 };
    const now = this.#now();
    this.#turnMinute(entry, now);
    const { inFlight, latencyMs, requests, tokens } = entry;
    const own = { inFlight, latencyMs, requests, tokens, cooldownMs: Math.max(0, entry.cooldownUntil - now) };
    return this.#foreign === undefined ? own : withForeign(own, deploymentId, entry.minute, this.#foreign);
  }

  /** Takes what another process noticed as if it had been noticed here. */
  hear(event: HealthEvent): void {
    const entry = this.#entry(event.id);
    if (event.kind === "failed") this.#note(event.id, event.error, event.rules);
    else if (event.kind === "probing") this.#probe(entry);
    else if (event.kind === "recovered") recover(entry);
    else this.#abandon(entry);
  }

  /** Counts other processes' calls too; the map may change. */
  countForeign(calls: ReadonlyMap<number, ReadonlyMap<string, ForeignCalls>>): void {
    this.#foreign = calls;
  }

  /** The calls of this process, by deployment. */
  *ownCalls(): Generator<readonly [id: string, calls: ForeignCalls]> {
    for (const [id, { inFlight, latencyMs, minute, requests, tokens }] of this.#entries)
      yield [id, { inFlight, latencyMs, minute, requests, tokens }];
  }

  began(deploymentId: string): void {
    const entry = this.#entry(deploymentId);
    const now = this.#now();
    this.#turnMinute(entry, now);
    entry.inFlight += 1;
    entry.requests += 1;
    if (entry.halfOpen && now >= entry.cooldownUntil) {
      this.#probe(entry);
      this.#tell?.({ kind: "probing", id: deploymentId });
    }
  }

  succeeded(deploymentId: string, firstByteMs: number): void {
    const entry = this.#entry(deploymentId);
    entry.latencyMs =
      entry.latencyMs === undefined
        ? firstByteMs
        : entry.latencyMs + NEWEST_WEIGHT * (firstByteMs - entry.latencyMs);
    const isNews = this.#tell !== undefined && (entry.halfOpen || entry.failures.length > 0);
    recover(entry);
    if (isNews) this.#tell?.({ kind: "recovered", id: deploymentId });
  }

  failed(deploymentId: string, { status, retryAfter }: Failure, rules: CooldownRules): void {
    const error = { status, retryAfter };
    this.#note(deploymentId, error, rules);
    if (this.#tell === undefined) return;
    const { allowedFails, cooldownTime, disableCooldowns, isPatient = false } = rules;
    const told = { allowedFails, cooldownTime, disableCooldowns, isPatient };
    this.#tell({ kind: "failed", id: deploymentId, error, rules: told });
  }

  #probe(entry: Entry): void {
    entry.probing = true;
    entry.cooldownUntil = this.#now() + PROBE_MS;
  }

  #note(deploymentId: string, error: Failure, rules: CooldownRules): void {
    const entry = this.#entry(deploymentId);
    const now = this.#now();
    const wasProbe = entry.probing;
    entry.probing = false;
    if (rules.disableCooldowns) {
      entry.cooldownUntil = 0;
      return;
    }
    entry.failures = entry.failures.filter((time) => now - time < MINUTE_MS);
    entry.failures.push(now);
    const isAtOnce = rules.isPatient !== true && coolsDownAtOnce(error);
    if (!wasProbe && !isAtOnce && entry.failures.length <= rules.allowedFails) return;
    const asked = error.status === 429 ? (error.retryAfter ?? 0) : 0;
    entry.cooldownUntil = now + Math.max(rules.cooldownTime, asked) * 1000;
    entry.halfOpen = true;
    entry.failures = [];
  }

  abandoned(deploymentId: string): void {
    const entry = this.#entry(deploymentId);
    if (!entry.probing) return;
    this.#abandon(entry);
    this.#tell?.({ kind: "abandoned", id: deploymentId });
  }

  #abandon(entry: Entry): void {
    if (!entry.probing) return;
    entry.probing = false;
    entry.cooldownUntil = 0;
  }

  ended(deploymentId: string, tokens: number | undefined): void {
    const entry = this.#entry(deploymentId);
    entry.inFlight = Math.max(0, entry.inFlight - 1);
    if (tokens === undefined) return;
    this.#turnMinute(entry, this.#now());
    entry.tokens += tokens;
  }

  noteMissingFormat(deploymentId: string, format: WireFormat): void {
    this.#missingFormats.set(`${format} ${deploymentId}`, this.#now() + MISSING_FORMAT_MS);
  }

  lacksFormat(deploymentId: string, format: WireFormat): boolean {
    if (this.#missingFormats.size === 0) return false;
    return (this.#missingFormats.get(`${format} ${deploymentId}`) ?? 0) > this.#now();
  }

  #entry(id: string): Entry {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = {
        inFlight: 0,
        latencyMs: undefined,
        minute: 0,
        requests: 0,
        tokens: 0,
        failures: [],
        cooldownUntil: 0,
        halfOpen: false,
        probing: false,
      };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  #turnMinute(entry: Entry, now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (entry.minute === minute) return;
    entry.minute = minute;
    entry.requests = 0;
    entry.tokens = 0;
  }
}

/** A call succeeded. */
function recover(entry: Entry): void {
  entry.failures = [];
  entry.cooldownUntil = 0;
  entry.halfOpen = false;
  entry.probing = false;
}

function withForeign(
  own: DeploymentState,
  id: string,
  minute: number,
  foreign: ReadonlyMap<number, ReadonlyMap<string, ForeignCalls>>,
): DeploymentState {
  const others = [...foreign.values()].flatMap((calls) => calls.get(id) ?? []);
  const latest = others.filter((calls) => calls.minute === minute);
  const latencies = [own, ...others].flatMap(({ latencyMs }) => latencyMs ?? []);
  return {
    inFlight: own.inFlight + sumOf(others, ({ inFlight }) => inFlight),
    latencyMs: latencies.length === 0 ? undefined : sumOf(latencies, (one) => one) / latencies.length,
    requests: own.requests + sumOf(latest, ({ requests }) => requests),
    tokens: own.tokens + sumOf(latest, ({ tokens }) => tokens),
    cooldownMs: own.cooldownMs,
  };
}

function sumOf<T>(values: readonly T[], figure: (value: T) => number): number {
  return values.reduce((sum, value) => sum + figure(value), 0);
}

/** Another call would meet the same answer: a full quota, a key or model that the provider does not accept. */
function coolsDownAtOnce(error: Failure): boolean {
  return (error.status === 429 && error.retryAfter !== undefined) || [401, 403, 404].includes(error.status);
}
