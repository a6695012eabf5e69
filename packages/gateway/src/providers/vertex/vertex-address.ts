import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { baseAddress, fromEnvironment } from "../credentials.ts";
import type { GoogleCredentials } from "./service-account.ts";

const DEFAULT_LOCATION = "us-central1";

/**
 * Where a publisher's models stand (Vertex AI REST reference):
 * `https://LOCATION-aiplatform.googleapis.com/VERSION/projects/PROJECT/locations/LOCATION/publishers/PUBLISHER`.
 * @throws GatewayError 500 when no project is configured
 */
export function publisherAddress(
  deployment: Deployment,
  credentials: GoogleCredentials | undefined,
  version: "v1" | "v1beta1",
  publisher: "google" | "anthropic",
): string {
  const { params } = deployment;
  const location = String(
    params.vertex_location ??
      params.vertex_ai_location ??
      fromEnvironment(["VERTEXAI_LOCATION", "VERTEX_LOCATION"]) ??
      DEFAULT_LOCATION,
  );
  const project =
    params.vertex_project ??
    params.vertex_ai_project ??
    fromEnvironment(["VERTEXAI_PROJECT", "GOOGLE_CLOUD_PROJECT"]) ??
    credentials?.project_id;
  if (typeof project !== "string" || project === "") throw noProject();
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  const base = baseAddress(deployment, ["VERTEXAI_API_BASE"], `https://${host}`);
  return base + upstreamPath`/${version}/projects/${project}/locations/${location}/publishers/${publisher}`;
}

function noProject(): GatewayError {
  const text = "The provider vertex_ai has no project: set vertex_project or VERTEXAI_PROJECT";
  return new GatewayError(500, "api_error", text, { retryable: false });
}
