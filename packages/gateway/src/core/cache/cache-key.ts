import type { Deployment, Target } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import { keyOwnerName, ownerName } from "../../contract/owner-name.ts";
import type { Principal } from "../../contract/principal.ts";
import { protocolHeaders } from "../../formats/upstream-headers.ts";
import type { CacheSettings } from "../../platform/config/gateway-config.ts";
import { sha256 } from "../../util/sha256.ts";
import type { PreparedCall } from "../call/prepare-call.ts";
import { requestChanges } from "../call/request-changes.ts";
import { continuationsIn, referencesIn } from "../call/request-references.ts";
import { routeRequest } from "../call/steering.ts";

/** Rises when an entry's meaning changes. */
const KEY_VERSION = 1;

/** Fields that say how the answer arrives, not what it is. */
const DELIVERY = ["stream", "stream_options"] as const;

/**
 * The name of the answer to a call: a hash of everything on which the answer depends. That is the tenant, the model and
 * the deployments that may serve it, and the request after the hooks, as a provider gets it. The order of the request's
 * own members does not count; the order inside of them does, because models write the members of a schema in its order.
 * @param targets the deployments of the model
 */
export function cacheKey(
  prepared: PreparedCall,
  targets: readonly Target[],
  settings: CacheSettings,
  namespace: string,
): string {
  const { call, config, model, data } = prepared;
  const { region, tags } = routeRequest(prepared);
  const parts = [
    KEY_VERSION,
    tenantOf(call.principal, settings.scope),
    namespace,
    call.format,
    model,
    targets.map((target) => `${fingerprint(target.deployment)}/${target.model}`).sort(),
    region ?? null,
    tags,
    Object.entries(protocolHeaders(call.headers)).sort(),
    [
      data.drop_params === true,
      config.gatewaySettings.dropParams,
      ...[data.allowed_openai_params ?? []].flat(),
    ],
    sentMembers(prepared, targets[0]!),
  ];
  return `${namePrefix(settings)}${sha256(JSON.stringify(parts))}`;
}

/** The beginning of the names of all entries. */
export function namePrefix({ namespace }: CacheSettings): string {
  return `${namespace}:answer:`;
}

/** Who shares answers with this key. */
function tenantOf(principal: Principal, scope: CacheSettings["scope"]): string {
  const { teamId } = principal;
  if (scope === "global") return "everybody";
  if (scope === "team" && teamId !== undefined) return ownerName(principal, "team", teamId);
  return keyOwnerName(principal);
}

/** The request's members that make the answer what it is, by name. */
function sentMembers(prepared: PreparedCall, target: Target): [string, unknown][] {
  // A deployment's own parameters stand in its fingerprint.
  const plain: Target = { ...target, deployment: { ...target.deployment, params: {} } };
  const changes = requestChanges({ prepared, target: plain }, false);
  const members = new Map(Object.entries({ ...prepared.data, ...Object.fromEntries(changes) }));
  for (const name of DELIVERY) members.delete(name);
  return [...members]
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}

const fingerprints = new WeakMap<Deployment, string>();

/** What makes a deployment's answers its own; a changed configuration leads to new answers. */
function fingerprint(deployment: Deployment): string {
  let print = fingerprints.get(deployment);
  if (print === undefined) {
    const { id, provider, model, apiBase, apiVersion, region, mockResponse, params, info } = deployment;
    print = sha256(
      JSON.stringify([id, provider, model, apiBase, apiVersion, region, mockResponse, params, info]),
    );
    fingerprints.set(deployment, print);
  }
  return print;
}

/**
 * Whether the answer of an equal request may stand for this one's. Not where the request belongs to a state outside of
 * it (a conversation, files, containers), where its answer comes later, or where a provider might read another request
 * in its bytes than the one that was checked: numbers beyond what JavaScript holds.
 */
export function isRepeatable({ call, data, mockedText }: PreparedCall): boolean {
  if (mockedText !== undefined || data.background === true || call.accountLater !== undefined) return false;
  if (isSet(data.previous_response_id) || isSet(data.conversation)) return false;
  if (continuationsIn(data).length > 0) return false;
  if (Object.keys(data).some((name) => name.startsWith("mock_testing_") && isSet(data[name]))) return false;
  return referencesIn(data).length === 0 && !holdsHugeNumber(data);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function holdsHugeNumber(data: JsonObject): boolean {
  const open: object[] = [data];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    for (const value of Array.isArray(each) ? each : Object.values(each)) {
      if (typeof value === "object" && value !== null) open.push(value);
      else if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) return true;
    }
  }
  return false;
}
