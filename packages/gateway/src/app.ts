import type { Gateway } from "./cli/start-gateway.ts";
import type { Feature } from "./core/feature.ts";
import { openServer } from "./core/http/open-server.ts";
import { openCore } from "./core/open-core.ts";
import { openAccessGroups } from "./features/access-groups/routes.ts";
import { openAgents } from "./features/agents/open.ts";
import { openAlerts } from "./features/alerts/open.ts";
import { openAudit } from "./features/audit/routes.ts";
import { openBatches } from "./features/batches/open.ts";
import { openBudgets } from "./features/budgets/routes.ts";
import { openCacheManagement } from "./features/cache/routes.ts";
import { openChat } from "./features/chat/routes.ts";
import { openConsole } from "./features/console/routes.ts";
import { openContainers } from "./features/containers/routes.ts";
import { openConversations } from "./features/conversations/routes.ts";
import { openCredentials } from "./features/credentials/routes.ts";
import { openCustomers } from "./features/customers/routes.ts";
import { openEmbeddings } from "./features/embeddings/routes.ts";
import { openEstimates } from "./features/estimates/routes.ts";
import { openFiles } from "./features/files/open.ts";
import { openGenerateContent } from "./features/generate-content/routes.ts";
import { openHealth } from "./features/health/routes.ts";
import { openKeyManagement } from "./features/keys/routes.ts";
import { openMessages } from "./features/messages/routes.ts";
import { openModelManagement } from "./features/model-management/routes.ts";
import { openModels } from "./features/models/routes.ts";
import { openOpenapi } from "./features/openapi/routes.ts";
import { openOrganizations } from "./features/organizations/routes.ts";
import { openPassThrough } from "./features/passthrough/open.ts";
import { openResponses } from "./features/responses/open.ts";
import { openScim } from "./features/scim/routes.ts";
import { openSignIn } from "./features/sign-in/routes.ts";
import { openSpend } from "./features/spend/routes.ts";
import { openSpendExport } from "./features/spend-export/open.ts";
import { openTags } from "./features/tags/routes.ts";
import { openTeams } from "./features/teams/routes.ts";
import { openUsers } from "./features/users/routes.ts";
import { openVideos } from "./features/videos/open.ts";
import { type GatewayParts, openPlatform } from "./platform/open-platform.ts";
import { openHousekeeping } from "./platform/queue/housekeeping.ts";

/**
 * Puts together a gateway that does not listen yet: the platform, the core, each feature. A feature is one folder and
 * its lines here; `npm run check:features -w portico` takes each out.
 */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const platform = await openPlatform(parts);
  const core = await openCore(platform);

  // In the order of `/openapi.json`; work is given back in this order too.
  const features: Feature[] = [];
  const open = <Opened extends Feature>(feature: Opened): Opened => {
    features.push(feature);
    return feature;
  };
  open(openChat(core));
  open(openMessages(core));
  open(openGenerateContent(core));
  open(openEmbeddings(core));
  const files = open(openFiles(core, platform));
  const conversations = open(openConversations(core, platform));
  open(openResponses(core, platform, conversations));
  open(await openBatches(core, platform, files));
  open(openAgents(core, platform));
  open(openContainers(core, files));
  open(openVideos(core, platform, files));
  open(openModels(core, platform));
  open(openModelManagement(core));
  open(openCredentials(core));
  open(openAccessGroups(core));
  open(openKeyManagement(core));
  open(openTeams(core));
  open(openUsers(core));
  open(openOrganizations(core));
  open(openCustomers(core));
  open(openBudgets(core, platform));
  open(openTags(core));
  open(openAudit(core));
  open(openAlerts(core, platform));
  open(openSignIn(core, platform));
  open(openScim(core, platform));
  open(openSpend(core));
  open(openEstimates(core));
  open(openSpendExport(platform));
  open(openCacheManagement(core));
  open(openHealth(core, platform));
  open(openConsole(core, platform));
  open(openPassThrough(core, features));
  open(openOpenapi(() => features));

  const housekeeping = openHousekeeping(platform, [core, ...features]);
  const routes = features.flatMap((feature) => feature.routes);
  const server = openServer(core, platform, routes, () => housekeeping?.begin());
  const close = async (): Promise<void> => {
    await server.drain();
    for (const feature of features) await feature.stop?.();
    await housekeeping?.stop();
    await Promise.all([core.idempotency?.close(), ...features.map((feature) => feature.close?.())]);
    await core.close();
    await platform.close();
  };
  return { server, close };
}
