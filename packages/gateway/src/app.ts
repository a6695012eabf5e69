import type { Gateway } from "./cli/start-gateway.ts";
import type { Feature } from "./core/feature.ts";
import { openServer } from "./core/http/open-server.ts";
import { loadPrices } from "./core/ledger/price.ts";
import { openCore } from "./core/open-core.ts";
import { openAgents } from "./features/agents/open.ts";
import { openBatches } from "./features/batches/open.ts";
import { openChat } from "./features/chat/routes.ts";
import { openContainers } from "./features/containers/routes.ts";
import { openConversations } from "./features/conversations/routes.ts";
import { openEmbeddings } from "./features/embeddings/routes.ts";
import { openFiles } from "./features/files/open.ts";
import { openHealth } from "./features/health/routes.ts";
import { openKeyManagement } from "./features/keys/routes.ts";
import { openMessages } from "./features/messages/routes.ts";
import { openModels } from "./features/models/routes.ts";
import { openOpenapi } from "./features/openapi/routes.ts";
import { openResponses } from "./features/responses/open.ts";
import { openSpend } from "./features/spend/routes.ts";
import { openVideos } from "./features/videos/open.ts";
import { type GatewayParts, openPlatform } from "./platform/open-platform.ts";
import { openHousekeeping } from "./platform/queue/housekeeping.ts";

/**
 * Puts together a gateway that does not listen yet: the platform, the core, each feature. A feature is one folder and
 * its lines here; `npm run check:features -w portico` takes each out.
 */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const [platform] = await Promise.all([openPlatform(parts), loadPrices()]);
  const core = await openCore(platform);

  // In the order of `/openapi.json`; work is given back in this order too.
  const features: Feature[] = [];
  const open = <Opened extends Feature>(feature: Opened): Opened => {
    features.push(feature);
    return feature;
  };
  open(openChat(core));
  open(openMessages(core));
  open(openEmbeddings(core));
  const files = open(openFiles(core, platform));
  const conversations = open(openConversations(core, platform));
  open(openResponses(core, platform, conversations));
  open(await openBatches(core, platform, files));
  open(openAgents(core, platform));
  open(openContainers(core, files));
  open(openVideos(core, platform, files));
  open(openModels(platform));
  open(openKeyManagement(core));
  open(openSpend(core));
  open(openHealth(core, platform));
  open(openOpenapi(() => features));

  const housekeeping = openHousekeeping(platform, features);
  const routes = features.flatMap((feature) => feature.routes);
  const server = openServer(core, platform, routes);
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
