import type { Counter, Histogram, Registry } from "prom-client";
import type { CallRecord } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import type { Usage } from "../../contract/usage.ts";
import { type Siblings, topics } from "../siblings/siblings.ts";

/** Seconds, from a cached answer to a long stream. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const callLabels = ["requested_model", "model", "model_id", "api_provider"] as const;
/** LiteLLM's metrics of deployments have another name for the model than its others. */
const deploymentLabels = ["requested_model", "litellm_model_name", "model_id", "api_provider"] as const;
const requestLabels = ["route", "status_code"] as const;
/** Deployments that have labels of their own; calls past the router could name any number of models. */
const MAX_DEPLOYMENTS = 1000;

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

type CallLabel = (typeof callLabels)[number];
type DeploymentLabel = (typeof deploymentLabels)[number];

/** The labels of one deployment, for both kinds of metrics. */
interface Labels {
  readonly call: Readonly<Record<CallLabel, string>>;
  readonly deployment: Readonly<Record<DeploymentLabel, string>>;
}

/** Calls that a provider made itself, when it is known what they used. */
export interface LateCalls {
  readonly deployment: Deployment | undefined;
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

/** The gateway's figures in Prometheus's text format, under the names that LiteLLM's dashboards ask for. */
export class Metrics {
  readonly #registry: Registry;
  readonly #requests: Counter<(typeof requestLabels)[number]>;
  readonly #failedRequests: Counter<(typeof requestLabels)[number]>;
  readonly #calls: Counter<DeploymentLabel>;
  readonly #succeeded: Counter<DeploymentLabel>;
  readonly #failed: Counter<DeploymentLabel>;
  readonly #inputTokens: Counter<CallLabel>;
  readonly #outputTokens: Counter<CallLabel>;
  readonly #totalTokens: Counter<CallLabel>;
  readonly #spend: Counter<CallLabel>;
  readonly #latency: Histogram<CallLabel>;
  readonly #upstreamLatency: Histogram<CallLabel>;
  readonly #known = new Map<string, Labels>();
  readonly #siblings: Siblings | undefined;

  private constructor(
    { Counter, Gauge, Histogram, Registry, collectDefaultMetrics }: typeof import("prom-client"),
    deployments: () => readonly ObservedDeployment[],
    rows: () => ObservedRows | undefined,
    siblings: Siblings | undefined,
  ) {
    this.#siblings = siblings;
    siblings?.primary.on(topics.metrics, () => this.#registry.getMetricsAsJSON());
    const registry = new Registry();
    const registers = [registry];
    const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Counter({ name: `litellm_${name}_total`, help, labelNames, registers });
    const histogram = (name: string, help: string): Histogram<CallLabel> =>
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
    this.#inputTokens = counter("input_tokens_metric", "Input tokens of model calls", callLabels);
    this.#outputTokens = counter("output_tokens_metric", "Output tokens of model calls", callLabels);
    this.#totalTokens = counter("total_tokens_metric", "Tokens of model calls", callLabels);
    this.#spend = counter("spend_metric", "US dollars spent on model calls", callLabels);
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
        for (const { deployment, isCoolingDown } of deployments())
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
          this.set(rows()?.[figure] ?? 0);
        },
      });
    }
    collectDefaultMetrics({ register: registry });
  }

  /** Loads the library, which gateways without metrics do without. */
  static async open(
    deployments: () => readonly ObservedDeployment[],
    rows: () => ObservedRows | undefined,
    siblings?: Siblings,
  ): Promise<Metrics> {
    return new Metrics(await import("prom-client"), deployments, rows, siblings);
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
  call({ callType, deployment, status, usage, cost, startedAt, upstreamMs }: CallRecord): void {
    if (deployment === undefined) return;
    const labels = this.#labels(deployment);
    if (usage !== undefined) this.#use(labels.call, usage, cost ?? 0);
    else if (cost !== undefined) this.#spend.inc(labels.call, cost);
    // An attempt that was left is no call beside the one that left it.
    if (status === "left" || !modelCalls.has(callType)) return;
    this.#calls.inc(labels.deployment);
    if (status === "success") this.#succeeded.inc(labels.deployment);
    else if (status === "failure") this.#failed.inc(labels.deployment);
    if (status !== "success") return;
    this.#latency.observe(labels.call, (Date.now() - startedAt) / 1000);
    this.#upstreamLatency.observe(labels.call, upstreamMs / 1000);
  }

  /** What a provider did on its own for a caller: a batch, or a response in the background. It has no latency. */
  late({ deployment, usage, cost, completed, failed }: LateCalls): void {
    if (deployment === undefined) return;
    const labels = this.#labels(deployment);
    this.#calls.inc(labels.deployment, completed + failed);
    this.#succeeded.inc(labels.deployment, completed);
    this.#failed.inc(labels.deployment, failed);
    this.#use(labels.call, usage, cost);
  }

  /** The figures of this process, or of all workers together. */
  async text(): Promise<string> {
    if (this.#siblings === undefined) return this.#registry.metrics();
    const { AggregatorRegistry } = await import("prom-client");
    const all = await this.#siblings.primary.ask<object[]>(topics.metrics);
    return AggregatorRegistry.aggregate(all).metrics();
  }

  #use(labels: Labels["call"], usage: Usage, cost: number): void {
    this.#inputTokens.inc(labels, usage.input);
    this.#outputTokens.inc(labels, usage.output);
    this.#totalTokens.inc(labels, usage.input + usage.output);
    this.#spend.inc(labels, cost);
  }

  #labels(deployment: Deployment): Labels {
    const key = `${deployment.id} ${deployment.modelName}`;
    let labels = this.#known.get(key);
    if (labels === undefined) {
      labels = this.#known.size < MAX_DEPLOYMENTS ? labelsOf(deployment) : otherDeployments;
      if (this.#known.size < MAX_DEPLOYMENTS) this.#known.set(key, labels);
    }
    return labels;
  }
}

const otherDeployments = labelsFor("other", "other", "other", "other");

/** What a wildcard stands for in a call is left out: callers choose it. */
function labelsOf({ id, modelName, model, provider }: Deployment): Labels {
  return labelsFor(modelName, modelName.includes("*") ? modelName : model, id, provider);
}

function labelsFor(requested: string, model: string, id: string, provider: string): Labels {
  const common = { requested_model: requested, model_id: id, api_provider: provider };
  return { call: { model, ...common }, deployment: { litellm_model_name: model, ...common } };
}
