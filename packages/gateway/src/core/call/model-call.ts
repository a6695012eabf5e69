import type { IncomingHttpHeaders } from "node:http";
import type { CallRecord } from "../../contract/call-record.ts";
import type { TraceStarts } from "../../contract/call-trace.ts";
import type { Deployment, Target } from "../../contract/deployment.ts";
import type { Dialect } from "../../contract/dialect.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { PassingBytes } from "../../contract/json-body.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Provider } from "../../contract/provider.ts";
import type { UpstreamPath } from "../../contract/upstream-path.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Family, WireFormat } from "../../contract/wire-format.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import type { Upstream } from "../../platform/transport/upstream.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import type { RequestScopes } from "../auth/request-scopes.ts";
import type { HookRunner } from "../hooks/hook-runner.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { CostOf } from "../ledger/price.ts";
import type { Limiter, Reservation } from "../limits/limiter.ts";
import type { HealthBook } from "../routing/health.ts";
import type { Answer } from "./answer.ts";
import type { LeftAttempts } from "./left-attempts.ts";
import type { PreparedCall } from "./prepare-call.ts";
import type { ReferenceResolver } from "./request-references.ts";

/** One call of a model, whether it came over HTTP or from inside the gateway. */
export interface ModelCall {
  readonly callId: string;
  readonly format: WireFormat;
  readonly family: Family;
  /** Where a provider of the same format is asked, if not at the format's own path. */
  readonly path?: UpstreamPath;
  readonly body: JsonObject;
  /**
   * The bytes that `body` was parsed from, as long as they say nothing else to another reader; they pass on unchanged
   * where caller and provider share the format. Until the answer's stream passes: nobody sends them again then.
   */
  raw: PassingBytes | undefined;
  /** Steering headers (`x-portico-timeout`, ...) and those that a provider of the same format gets to see. */
  readonly headers: IncomingHttpHeaders;
  readonly principal: Principal;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: CallSignal;
  /** Filled in on the way. */
  readonly record: CallRecord;
  /** Whether the answer has to be a stream; absent where whoever makes the call takes it either way, as a hook decides. */
  readonly streams?: boolean;
  /** Present where the request depends on the deployment that it goes to. */
  readonly adapter?: RequestAdapter;
  /** Present where the caller gets to see the answer under other ids; post-call hooks then see those too. */
  readonly view?: AnswerView;
  /**
   * Present where the answer may come before the provider has worked on it: what it uses is then accounted elsewhere, and
   * the key's budget is held until then.
   */
  readonly accountLater?: (held: Reservation, principal: Principal) => void;
  /**
   * Removes what a provider of the caller's format keeps of a whole answer that the caller does not get.
   * @returns what it used, where that became known by it
   */
  readonly undo?: (answer: JsonObject, deployment: Deployment) => Promise<Usage | undefined>;
  /**
   * Asked when the call has failed.
   * @returns whether whoever made it makes it once more: then this was no end of it, and nothing is accounted
   */
  readonly goesOn?: (error: GatewayError) => Promise<boolean>;
  /** Awaited once the hooks and the key's limits have let the call through, before it goes out. */
  readonly onAdmitted?: () => Promise<void>;
}

/** An answer as its caller sees it. */
export interface AnswerView {
  /** An attempt begins: what one before it has said counts no more. */
  begin(): void;
  answer(body: JsonObject): JsonObject;
  stream(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** For a stream that is written here: what makes each answer in it that of its caller as it is written. */
  writer(): (body: JsonObject) => JsonObject;
}

/** Fits a request to the deployment that it goes to, and says which one it fits best. */
export interface RequestAdapter {
  /** Id of the deployment that is tried first where the plan has it. */
  readonly prefers: string | undefined;
  /**
   * Looks again at what the request refers to, in the data that the pre-call hooks left; not called without hooks.
   * @throws GatewayError as for a request that came so
   */
  hooked?(data: JsonObject): Promise<void>;
  /**
   * What changes in the request data: members by name, `undefined` where one is left out.
   * @param isNative whether the provider gets the caller's format
   * @throws GatewayError when this deployment cannot serve the request
   */
  changes(data: JsonObject, target: Target, isNative: boolean): Promise<ReadonlyMap<string, unknown>>;
}

/** Counts a request body's tokens on this machine. */
export type CountTokens = (body: JsonObject) => Promise<number>;

/** The cache of answers as the configuration in force wants it. */
export interface AnswerCacheSource {
  readonly current: AnswerCache | undefined;
}

/** Answers of earlier calls, for requests that are equal to theirs. */
export interface AnswerCache {
  /**
   * Looks for an answer; `undefined` for a call that is not one of those whose answers are kept.
   * @throws GatewayError when the request may not be answered at all
   */
  look(prepared: PreparedCall): Promise<CacheLook> | undefined;
}

/** What the cache has for one call. */
export interface CacheLook {
  /** The answer of an earlier call; absent where the call must be made. */
  readonly answer: Answer | undefined;
  /** Keeps the answer of the call when it is complete. @returns the answer to pass on */
  keep(answer: Answer): Answer;
}

/** What calls need of the rest of the gateway. */
export interface CallDeps {
  readonly config: ConfigSource;
  readonly upstream: Upstream;
  /** Begins the traces of calls that come from inside the gateway; absent where nothing is traced. */
  readonly traces?: TraceStarts;
  readonly health: HealthBook;
  readonly limiter: Limiter;
  readonly ledger: Ledger;
  readonly hooks: HookRunner;
  readonly findProvider: (name: string) => Provider | undefined;
  readonly dialectOf: (format: DialectFormat) => Dialect;
  /** US dollars; `undefined` when the price is unknown. */
  readonly costOf: CostOf;
  /** Tokens of a request body by the local tokenizer. */
  readonly countTokens: CountTokens;
  readonly references: ReferenceResolver;
  readonly leftAttempts: LeftAttempts;
  /** Absent without a persistent store. */
  readonly scopes?: RequestScopes | undefined;
  /** Answers of earlier calls; absent for calls that are always made anew. */
  readonly cache?: AnswerCacheSource;
  /** Uniform in [0, 1); tests replace it. */
  readonly random?: () => number;
}
