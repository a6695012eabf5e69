import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { changerOf } from "../../core/auth/records/change.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { runtimeRoutes } from "../../core/runtime/runtime-routes.ts";
import { CredentialService } from "./credential-service.ts";
import { credentialDescription, newCredentialBody, updateCredentialBody } from "./schema.ts";

/** LiteLLM's `/credentials`. */
export function openCredentials({ writer }: Core): Feature {
  const route = runtimeRoutes(writer, "credential_management");
  const done = (verb: string): JsonObject => ({ success: true, message: `Credential ${verb} successfully` });
  const routes = [
    route("POST", "/credentials", async (exchange, entries) => {
      const body = await parseJsonBody(exchange, newCredentialBody);
      await new CredentialService(entries).create(changerOf(exchange), body as JsonObject);
      return done("created");
    }),
    route("GET", "/credentials", async (_exchange, entries) => ({
      success: true,
      credentials: new CredentialService(entries).list(),
    })),
    route("GET", "/credentials/by_name/*", async ({ params }, entries) =>
      new CredentialService(entries).byName(params["*"]!),
    ),
    route("GET", "/credentials/by_model/*", async ({ params }, entries) =>
      new CredentialService(entries).byModel(params["*"]!),
    ),
    route("PATCH", "/credentials/*", async (exchange, entries) => {
      const body = (await parseJsonBody(exchange, updateCredentialBody)) as JsonObject;
      await new CredentialService(entries).update(changerOf(exchange), exchange.params["*"]!, body);
      return done("updated");
    }),
    route("DELETE", "/credentials/*", async (exchange, entries) => {
      await new CredentialService(entries).remove(changerOf(exchange), exchange.params["*"]!);
      return done("deleted");
    }),
  ];
  return { routes, descriptions: [credentialDescription] };
}
