import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { changerOf } from "../../core/auth/records/change.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { runtimeRoutes } from "../../core/runtime/runtime-routes.ts";
import { AccessGroupService } from "./group-service.ts";
import { accessGroupDescription, newGroupBody, updateGroupBody } from "./schema.ts";

/** LiteLLM's `/access_group/*`. */
export function openAccessGroups({ writer }: Core): Feature {
  const route = runtimeRoutes(writer, "access_group_management");
  const routes = [
    route("POST", "/access_group/new", async (exchange, entries) => {
      const body = await parseJsonBody(exchange, newGroupBody);
      const { access_group: name } = body;
      return new AccessGroupService(entries).create(changerOf(exchange), name, body as JsonObject);
    }),
    route("GET", "/access_group/list", async (_exchange, entries) => ({
      access_groups: new AccessGroupService(entries).list(),
    })),
    route("GET", "/access_group/:access_group/info", async ({ params }, entries) =>
      new AccessGroupService(entries).show(params.access_group!),
    ),
    route("PUT", "/access_group/:access_group/update", async (exchange, entries) => {
      const body = (await parseJsonBody(exchange, updateGroupBody)) as JsonObject;
      const name = exchange.params.access_group!;
      return new AccessGroupService(entries).update(changerOf(exchange), name, body);
    }),
    route("DELETE", "/access_group/:access_group/delete", async (exchange, entries) =>
      new AccessGroupService(entries).remove(changerOf(exchange), exchange.params.access_group!),
    ),
  ];
  return { routes, descriptions: [accessGroupDescription] };
}
