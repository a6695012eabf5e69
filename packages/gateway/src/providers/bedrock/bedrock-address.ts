import type { Deployment } from "../../contract/deployment.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { baseAddress, fromEnvironment } from "../credentials.ts";

/** LiteLLM's default. */
const DEFAULT_REGION = "us-west-2";
const regionPrefix = /^([a-z]{2}(?:-[a-z]+)+-\d)\/(.+)$/;

/** A model as configurations name it, taken apart. */
export interface BedrockModel {
  /** Id, inference profile or ARN. */
  readonly id: string;
  /** The application inference profile by which it is called, where there is one. */
  readonly profile: string | undefined;
  readonly region: string;
}

/**
 * Reads `MODEL`, `converse/MODEL` and `REGION/MODEL`. The region is the deployment's, else the name's, else the
 * environment's.
 */
export function bedrockModel({ params }: Deployment, name: string): BedrockModel {
  const plain = name.replace(/^(?:converse|invoke)\//, "");
  const [, prefix, rest] = regionPrefix.exec(plain) ?? [];
  const own = params.aws_region_name;
  const region =
    (typeof own === "string" ? own : prefix) ??
    fromEnvironment(["AWS_REGION_NAME", "AWS_REGION", "AWS_DEFAULT_REGION"]) ??
    DEFAULT_REGION;
  const { model_id: profile } = params;
  return { id: rest ?? plain, profile: typeof profile === "string" ? profile : undefined, region };
}

/** Where a model's operations are (Bedrock API reference: Converse, ConverseStream, InvokeModel). */
export function modelUrl(
  deployment: Deployment,
  { id, profile, region }: BedrockModel,
  operation: "converse" | "converse-stream" | "invoke",
): string {
  const { aws_bedrock_runtime_endpoint: endpoint } = deployment.params;
  const usual = typeof endpoint === "string" ? endpoint : `https://bedrock-runtime.${region}.amazonaws.com`;
  const base = baseAddress(deployment, ["AWS_BEDROCK_RUNTIME_ENDPOINT"], usual);
  return base + upstreamPath`/model/${profile ?? id}/${operation}`;
}
