import type { Counter, Histogram, MetricObjectWithValues, MetricValue, Registry } from "prom-client";
import type { CallRecord } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import type { Usage } from "../../contract/usage.ts";
import type { QueueDepth } from "../queue/job-queue.ts";
import { type Siblings, topics } from "../siblings/siblings.ts";
import { addBudgetGauges, type ObservedBudget } from "./budget-gauges.ts";
import {
  type Caller,
  type CallLabels,
  callLabels,
  type DeploymentLabels,
  deploymentLabels,
  KnownLabels,
  type Labels,
  labelsOf,
  type UseLabels,
  useLabels,
} from "./labels.ts";
import { addQueueGauges } from "./queue-gauges.ts";

/** Seconds, from a cached answer to a long stream. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const requestLabels = ["route", "status_code"] as const;
const attemptLabels = [...deploymentLabels, "status_code"] as const;
/**
 * Operations that have a model make something. Looking after what was made (polls, lists, downloads) is no call of the
 * model, and a batch is as many calls as it has rows.
 */
const modelCalls: ReadonlySet<string> = new Set([
  "acompletion",
  "anthropic_messages",
  "aresponses",
  "agenerate_content",
  "agenerate_content_stream",
  "aembedding",
  "avideo_generation",
  "avideo_remix",
  "abatch_row",
  "asend_message",
]);

/** Figures with how those of several workers come together: the journals of all are in one folder. */
const rowFigures = [
  ["spend_journal_bytes", "Bytes of spend rows on their way into the database", "journalBytes", "max"],
  [
    "spend_rows_in_memory",
    "Spend rows that the journal did not take and the database has not yet",
    "rowsInMemory",
    "sum",
  ],
  ["spend_rows_lost", "Spend rows that were given up or refused since the start", "rowsLost", "sum"],
] as const;

/** Calls that a provider made itself, when it is known what they used. */
export interface LateCalls {
  readonly deployment: Deployment | undefined;
  readonly caller: Caller;
  readonly usage: Usage;
  /** US dollars. */
  readonly cost: number;
  readonly completed: number;
  readonly failed: number;
}

/** A deployment with whether it is in cooldown. */
export interface ObservedDeployment {
  readonly deployment: Deployment;
  readonly isCoolingDown: boolean;
}

/** Spend rows that are not in the store yet. */
export interface ObservedRows {
  /** Bytes of the journal. */
  readonly journalBytes: number;
  /** Rows that are in no journal. */
  readonly rowsInMemory: number;
  readonly rowsLost: number;
}

/** What the gauges show when somebody asks. */
export interface Observed {
  deployments(): readonly ObservedDeployment[];
  rows(): ObservedRows | undefined;
  budgets(): Promise<readonly ObservedBudget[]>;
  queues(): Promise<readonly QueueDepth[]>;
}

/** The gateway's figures in Prometheus's text format, under the names that LiteLLM's dashboards ask for. */
export class Metrics {
  readonly #registry: Registry;
  readonly #requests: Counter<(typeof requestLabels)[number]>;
  readonly #failedRequests: Counter<(typeof requestLabels)[number]>;
  readonly #calls: Counter<keyof DeploymentLabels>;
  readonly #succeeded: Counter<keyof DeploymentLabels>;
  readonly #failed: Counter<keyof DeploymentLabels>;
  readonly #failedAttempts: Counter<(typeof attemptLabels)[number]>;
  readonly #cacheHits: Counter<keyof CallLabels>;
  readonly #inputTokens: Counter<keyof UseLabels>;
  readonly #outputTokens: Counter<keyof UseLabels>;
  readonly #totalTokens: Counter<keyof UseLabels>;
  readonly #spend: Counter<keyof UseLabels>;
  readonly #latency: Histogram<keyof CallLabels>;
  readonly #upstreamLatency: Histogram<keyof CallLabels>;
  readonly #known = new KnownLabels();
  readonly #siblings: Siblings | undefined;

  private constructor(
    { Counter, Gauge, Histogram, Registry, collectDefaultMetrics }: typeof import("prom-client"),
    observed: Observed,
    siblings: Siblings | undefined,
  ) {
    this.#siblings = siblings;
    siblings?.primary.on(topics.metrics, () => this.#registry.getMetricsAsJSON());
    const registry = new Registry();
    const registers = [registry];
    const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Counter({ name: `litellm_${name}_total`, help, labelNames, registers });
    const histogram = (name: string, help: string): Histogram<keyof CallLabels> =>
      new Histogram({ name: `litellm_${name}`, help, labelNames: callLabels, buckets, registers });
    this.#registry = registry;
    this.#requests = counter(
      "proxy_total_requests_metric",
      "HTTP requests that were answered",
      requestLabels,
    );
    this.#failedRequests = counter(
      "proxy_failed_requests_metric",
      "HTTP requests answered by an error",
      requestLabels,
    );
    this.#calls = counter(
      "deployment_total_requests",
      "Model calls, those of batches included",
      deploymentLabels,
    );
    this.#succeeded = counter(
      "deployment_success_responses",
      "Model calls that were answered",
      deploymentLabels,
    );
    this.#failed = counter("deployment_failure_responses", "Model calls that failed", deploymentLabels);
    this.#failedAttempts = new Counter({
      name: "portico_deployment_failed_attempts_total",
      help: "Tries of a deployment that gave no answer, those whose call another one answered included",
      labelNames: attemptLabels,
      registers,
    });
    this.#cacheHits = counter("cache_hits_metric", "Model calls answered by the cache", callLabels);
    this.#inputTokens = counter("input_tokens_metric", "Input tokens of model calls", useLabels);
    this.#outputTokens = counter("output_tokens_metric", "Output tokens of model calls", useLabels);
    this.#totalTokens = counter("total_tokens_metric", "Tokens of model calls", useLabels);
    this.#spend = counter("spend_metric", "US dollars spent on model calls", useLabels);
    this.#latency = histogram("request_total_latency_metric", "Seconds of a model call to its last byte");
    this.#upstreamLatency = histogram("llm_api_latency_metric", "Seconds that a model call waited upstream");
    new Gauge({
      name: "litellm_deployment_state",
      help: "0: in use, 2: in cooldown after failures",
      labelNames: deploymentLabels,
      registers,
      aggregator: "max",
      collect() {
        this.reset();
        for (const { deployment, isCoolingDown } of observed.deployments())
          this.set(labelsOf(deployment).deployment, isCoolingDown ? 2 : 0);
      },
    });
    for (const [name, help, figure, aggregator] of rowFigures) {
      new Gauge({
        name: `portico_${name}`,
        help,
        registers,
        aggregator,
        collect() {
          this.set(observed.rows()?.[figure] ?? 0);
        },
      });
    }
    addBudgetGauges(Gauge, registers, observed.budgets);
    addQueueGauges(Gauge, registers, observed.queues);
    collectDefaultMetrics({ register: registry });
  }

  /** Loads the library, which gateways without metrics do without. */
  static async open(observed: Observed, siblings?: Siblings): Promise<Metrics> {
    return new Metrics(await import("prom-client"), observed, siblings);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** @param route the pattern of the path; `undefined` for paths that are none */
  request(route: string | undefined, status: number): void {
    const labels = { route: route ?? "unknown", status_code: String(status) };
    this.#requests.inc(labels);
    if (status >= 400) this.#failedRequests.inc(labels);
  }

  /** An operation that has ended; of those that a model served the deployment is known. */
  call(caller: Caller, record: CallRecord): void {
    const { callType, deployment, status, usage, cost, startedAt, upstreamMs, failedAttempts = [] } = record;
    for (const attempt of failedAttempts)
      this.#failedAttempts.inc({
        ...this.#known.of(attempt.deployment).deployment,
        status_code: String(attempt.status),
      });
    if (deployment === undefined) return;
    const labels = this.#known.of(deployment);
    if (usage !== undefined || cost !== undefined) this.#use(labels, caller, usage, cost ?? 0);
    // An attempt that was left is no call beside the one that left it.
    if (status === "left" || !modelCalls.has(callType)) return;
    if (record.isCacheHit) {
      // No deployment answered, so it is none of its calls.
      this.#cacheHits.inc(labels.call);
      return;
    }
    this.#calls.inc(labels.deployment);
    if (status === "success") this.#succeeded.inc(labels.deployment);
    else if (status === "failure") this.#failed.inc(labels.deployment);
    if (status !== "success") return;
    this.#latency.observe(labels.call, (Date.now() - startedAt) / 1000);
    this.#upstreamLatency.observe(labels.call, upstreamMs / 1000);
  }

  /** What a provider did on its own for a caller: a batch, or a response in the background. It has no latency. */
  late({ deployment, caller, usage, cost, completed, failed }: LateCalls): void {
    if (deployment === undefined) return;
    const labels = this.#known.of(deployment);
    this.#calls.inc(labels.deployment, completed + failed);
    this.#succeeded.inc(labels.deployment, completed);
    this.#failed.inc(labels.deployment, failed);
    this.#use(labels, caller, usage, cost);
  }

  /** The figures of this process alone. */
  figures(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return this.#registry.getMetricsAsJSON();
  }

  /** The figures of this process, or of all workers together. */
  async text(): Promise<string> {
    if (this.#siblings === undefined) return this.#registry.metrics();
    const { AggregatorRegistry } = await import("prom-client");
    const all = await this.#siblings.primary.ask<object[]>(topics.metrics);
    return AggregatorRegistry.aggregate(all).metrics();
  }

  #use(labels: Labels, caller: Caller, usage: Usage | undefined, cost: number): void {
    const use = this.#known.ofUse(labels, caller);
    this.#spend.inc(use, cost);
    if (usage === undefined) return;
    this.#inputTokens.inc(use, usage.input);
    this.#outputTokens.inc(use, usage.output);
    this.#totalTokens.inc(use, usage.input + usage.output);
  }
}
