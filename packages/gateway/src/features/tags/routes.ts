import { parseJsonBody } from "../../contract/json-body.ts";
import { managementRoutes } from "../../core/auth/management/management.ts";
import { SimpleEntities } from "../../core/auth/management/simple-entities.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { namedTag, namedTags, tagBody, tagDescription, tagFields } from "./schema.ts";

const tags = new SimpleEntities(tagFields);

/** LiteLLM's `/tag/*`. */
export function openTags({ keys }: Core): Feature {
  const routes = managementRoutes(keys, "tag_management", {
    "POST /tag/new": async (managed) => {
      const tag = await tags.create(managed, tagBody);
      return { message: `Tag ${tag.name} created successfully`, tag };
    },
    "POST /tag/update": async (managed) => {
      const tag = await tags.update(managed, tagBody);
      return { message: `Tag ${tag.name} updated successfully`, tag };
    },
    "POST /tag/delete": async (managed) => {
      const { name } = await parseJsonBody(managed.exchange, namedTag);
      await tags.delete(managed, [name]);
      return { message: `Tag ${name} deleted successfully` };
    },
    "POST /tag/info": async (managed) => {
      const { names } = await parseJsonBody(managed.exchange, namedTags);
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await tags.show(managed, name)])),
      );
    },
    "GET /tag/list": (managed) => tags.list(managed),
  });
  return { routes, descriptions: [tagDescription] };
}
