import type {
  EmbeddingModelV3,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3ProviderTool,
} from "@ai-sdk/provider";
import type { Deployment } from "./deployment.ts";
import type { GatewayError } from "./errors.ts";
import type { UpstreamPath } from "./upstream-path.ts";
import type { VideoJobs } from "./video-jobs.ts";
import type { WireFormat } from "./wire-format.ts";

/** Where a native call goes, and with which credentials. */
export interface UpstreamAddress {
  /** Absolute URL with the provider's query, such as Azure's api-version. */
  readonly url: string;
  /** Credentials and protocol headers of the provider; never the caller's. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a provider was asked to do, as a path below its base address (`/chat/completions`, `/files/file-1/content`). */
export interface NativeOperation {
  readonly method: string;
  readonly path: UpstreamPath;
  /** For hosts that have the deployment in the path (Azure). */
  readonly model?: string;
}

/** `fetch` of the gateway's transport: pooled, timed, guarded, abortable. */
export type UpstreamFetch = typeof globalThis.fetch;

/** One provider: how to address it natively, how to reach it through the neutral model, how to read its errors. */
export interface Provider {
  readonly name: string;
  /** Formats whose bytes this provider takes as they come. */
  readonly native: ReadonlySet<WireFormat>;
  /** Whether a model is one of those that take these formats, where not all of them do. */
  takesNative?(format: WireFormat, model: string): boolean;
  /** Resource groups it has natively: `files`, `batches`, `containers`, `videos`, `responses`, ... */
  readonly resources: ReadonlySet<string>;
  /** Its videos where they are not OpenAI's resource; `resources` names `videos` all the same. */
  readonly videoJobs?: VideoJobs;
  /** Refuses `stream_options`; it counts streams without being asked to. */
  readonly refusesStreamOptions?: boolean;
  /** Fields of OpenAI's formats that it refuses: `drop_params` leaves them out. */
  readonly refusedFields?: ReadonlySet<string>;
  /**
   * May have fields of its own beside those of its formats, as hosts of OpenAI's format do: `drop_params` leaves them in,
   * since the host alone knows them.
   */
  hasOwnFields?(deployment: Deployment): boolean;
  /** Takes pictures only in the request, also in its own format; those named by address are downloaded for it. */
  readonly takesNoAddresses?: boolean;
  /**
   * A tool that providers run themselves (a search in the web), as this provider has it; `undefined` where it has none
   * of the kind or cannot run it beside the call's other tools.
   */
  hostedTool?(
    tool: LanguageModelV3ProviderTool,
    options: LanguageModelV3CallOptions,
    model: string,
  ): LanguageModelV3ProviderTool | undefined;
  /** Address and headers of a native call; throws a 401/500 `GatewayError` naming what is not configured. */
  address(deployment: Deployment, operation: NativeOperation): UpstreamAddress;
  /** Headers of a native call that have to be fetched first, such as an access token's. */
  authorize?(
    deployment: Deployment,
    fetch: UpstreamFetch,
    signal: AbortSignal | undefined,
  ): Promise<Readonly<Record<string, string>>>;
  /** The provider behind the neutral interface, for callers that speak another format. */
  languageModel(deployment: Deployment, model: string, fetch: UpstreamFetch): LanguageModelV3;
  /** The provider's embeddings, where it has them but not in OpenAI's format. */
  embeddingModel?(deployment: Deployment, model: string, fetch: UpstreamFetch): EmbeddingModelV3;
  /** The provider's error answer as ours: status, type, its own message, param, retry-after. */
  toError(
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): GatewayError;
}
