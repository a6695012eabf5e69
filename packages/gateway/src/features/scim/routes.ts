import { GatewayError } from "../../contract/errors.ts";
import type { BufferedReply, Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { changerOf } from "../../core/auth/records/change.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import type { Feature } from "../../core/feature.ts";
import { publicAddress } from "../../core/http/public-address.ts";
import type { Core } from "../../core/open-core.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { Directory } from "./directory.ts";
import { MAX_RESULTS, RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from "./discovery.ts";
import { readFilter } from "./filter.ts";
import { readPatch } from "./patch.ts";
import { invalidValue, problemReply, SCIM_TYPE, ScimProblem } from "./problem.ts";
import {
  groupResource,
  patchedGroup,
  patchedUser,
  readGroup,
  readUser,
  userResource,
  versionOf,
} from "./resources.ts";
import { scimDescription } from "./schema.ts";

const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const INITIAL_COUNT = 100;
const MAX_INDEX = 10_000_000;

type ScimHandler = (exchange: Exchange) => Promise<BufferedReply>;

/** SCIM 2.0 where `general_settings.enable_scim` is on when the gateway starts. */
export function openScim({ keys }: Core, { config }: Platform): Feature {
  if (keys === undefined || !config.current.generalSettings.enableScim)
    return { routes: [], descriptions: [] };
  const directory = new Directory(keys);
  const baseOf = ({ headers }: Exchange): string => publicAddress(headers, config.current);
  const idOf = ({ params }: Exchange): string => params.id!.slice(0, 256);
  const match = ({ headers }: Exchange): string | undefined => headers["if-match"];

  const ofUser = (exchange: Exchange, row: EntityRow, status = 200): BufferedReply =>
    shown(row, userResource(row, baseOf(exchange)), status);
  const ofGroup = async (exchange: Exchange, row: EntityRow, status = 200): Promise<BufferedReply> => {
    const members = isWithoutMembers(exchange) ? undefined : await directory.membersOf(row.id);
    return shown(row, groupResource(row, members, baseOf(exchange)), status);
  };

  const users: Record<string, ScimHandler> = {
    "GET /Users": (exchange) => list(exchange, "user", async (row) => userResource(row, baseOf(exchange))),
    "POST /Users": async (exchange) => {
      const user = readUser(await parseJsonBody(exchange));
      return ofUser(exchange, await directory.createUser(user, changerOf(exchange)), 201);
    },
    "GET /Users/:id": async (exchange) => ofUser(exchange, await directory.find("user", idOf(exchange))),
    "PUT /Users/:id": async (exchange) => {
      const body = await parseJsonBody(exchange);
      const row = await directory.updateUser(
        idOf(exchange),
        (before) => readUser(body, before),
        changerOf(exchange),
        match(exchange),
      );
      return ofUser(exchange, row);
    },
    "PATCH /Users/:id": async (exchange) => {
      const operations = readPatch(await parseJsonBody(exchange));
      const row = await directory.updateUser(
        idOf(exchange),
        (before) => operations.reduce(patchedUser, before),
        changerOf(exchange),
        match(exchange),
      );
      return ofUser(exchange, row);
    },
    "DELETE /Users/:id": async (exchange) => {
      await directory.deleteUser(idOf(exchange), changerOf(exchange), match(exchange));
      return { status: 204, body: "" };
    },
  };
  const groups: Record<string, ScimHandler> = {
    "GET /Groups": (exchange) =>
      list(exchange, "team", async (row) =>
        groupResource(
          row,
          isWithoutMembers(exchange) ? undefined : await directory.membersOf(row.id),
          baseOf(exchange),
        ),
      ),
    "POST /Groups": async (exchange) => {
      const group = readGroup(await parseJsonBody(exchange));
      return ofGroup(exchange, await directory.createGroup(group, changerOf(exchange)), 201);
    },
    "GET /Groups/:id": async (exchange) => ofGroup(exchange, await directory.find("team", idOf(exchange))),
    "PUT /Groups/:id": async (exchange) => {
      const group = readGroup(await parseJsonBody(exchange));
      const changer = changerOf(exchange);
      return ofGroup(
        exchange,
        await directory.updateGroup(idOf(exchange), () => group, changer, match(exchange)),
      );
    },
    "PATCH /Groups/:id": async (exchange) => {
      const operations = readPatch(await parseJsonBody(exchange));
      const row = await directory.updateGroup(
        idOf(exchange),
        (before) => operations.reduce(patchedGroup, before),
        changerOf(exchange),
        match(exchange),
      );
      return ofGroup(exchange, row);
    },
    "DELETE /Groups/:id": async (exchange) => {
      await directory.deleteGroup(idOf(exchange), changerOf(exchange), match(exchange));
      return { status: 204, body: "" };
    },
  };
  const fixed: Record<string, ScimHandler> = {
    "GET /ServiceProviderConfig": async () => scim(200, SERVICE_PROVIDER_CONFIG),
    "GET /ResourceTypes": async () => scim(200, listOf(RESOURCE_TYPES, RESOURCE_TYPES.length, 1)),
    "GET /Schemas": async () => scim(200, listOf(SCHEMAS, SCHEMAS.length, 1)),
  };

  async function list(
    { query }: Exchange,
    kind: "user" | "team",
    resourceOf: (row: EntityRow) => Promise<JsonObject>,
  ): Promise<BufferedReply> {
    const text = query.get("filter");
    const filter = text === null || text.trim() === "" ? undefined : readFilter(text);
    const start = Math.max(1, numberIn(query, "startIndex") ?? 1);
    const count = Math.min(MAX_RESULTS, Math.max(0, numberIn(query, "count") ?? INITIAL_COUNT));
    const { rows, total } = await directory.list(kind, filter, start - 1, count);
    return scim(200, listOf(await Promise.all(rows.map(resourceOf)), total, start));
  }

  const handlers = Object.entries({ ...users, ...groups, ...fixed });
  return { routes: handlers.map(([name, handler]) => route(name, handler)), descriptions: [scimDescription] };
}

/** Administrators' keys alone; one for an identity provider is bound to these paths by its `allowed_routes`. */
function route(name: string, handler: ScimHandler): Route {
  const [method, path] = name.split(" ") as [Route["method"], string];
  return {
    method,
    path: `/scim/v2${path}`,
    access: "admin",
    family: "openai",
    callType: "scim",
    handler: (exchange) => answered(exchange, handler),
  };
}

/** Errors as SCIM's clients read them. */
async function answered(exchange: Exchange, handler: ScimHandler): Promise<Reply> {
  try {
    return await handler(exchange);
  } catch (error) {
    if (error instanceof ScimProblem) return problemReply(error);
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    const scimType = error.status === 400 ? "invalidValue" : undefined;
    return problemReply(new ScimProblem(error.status, error.message, scimType));
  }
}

function shown(row: EntityRow, resource: JsonObject, status: number): BufferedReply {
  const { location } = resource.meta as { location: string };
  return scim(status, resource, { etag: versionOf(row), ...(status === 201 ? { location } : {}) });
}

function scim(status: number, body: JsonObject, headers: Record<string, string> = {}): BufferedReply {
  return { status, headers: { ...SCIM_TYPE, ...headers }, body: JSON.stringify(body) };
}

function listOf(resources: readonly JsonObject[], total: number, startIndex: number): JsonObject {
  return {
    schemas: [LIST],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

function isWithoutMembers({ query }: Exchange): boolean {
  return (query.get("excludedAttributes") ?? "").toLowerCase().split(",").includes("members");
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name}: expected a whole number`);
  return Math.min(MAX_INDEX, Number(text));
}
