import { openAgents } from "./agents/open-agents.ts";
import { Authenticator } from "./auth/authenticate.ts";
import { BatchSignals } from "./batches/batch-signals.ts";
import { openBatches } from "./batches/open-batches.ts";
import { YieldingLimiter } from "./batches/yielding-limiter.ts";
import type { CallDeps } from "./calls/model-call.ts";
import { metricsCallback } from "./config/options/callbacks.ts";
import type { Route } from "./contract/exchange.ts";
import type { Principal } from "./contract/principal.ts";
import { dialectOf } from "./dialects/registry.ts";
import { a2aRoutes } from "./endpoints/a2a/a2a-routes.ts";
import { agentRoutes } from "./endpoints/agents/agent-routes.ts";
import { batchRoutes, webhookSecretRoute } from "./endpoints/batches/batch-routes.ts";
import { chatRoutes } from "./endpoints/chat/chat-routes.ts";
import { containerRoutes } from "./endpoints/containers/container-routes.ts";
import { embeddingRoutes } from "./endpoints/embeddings/embedding-routes.ts";
import { fileRoutes } from "./endpoints/files/file-routes.ts";
import { healthRoutes } from "./endpoints/health/health-routes.ts";
import { metricsRoute } from "./endpoints/health/metrics-route.ts";
import { keyRoutes } from "./endpoints/keys/key-routes.ts";
import { messageRoutes } from "./endpoints/messages/message-routes.ts";
import { modelRoutes } from "./endpoints/models/model-routes.ts";
import { openapiRoutes } from "./endpoints/openapi/openapi-routes.ts";
import { conversationRoutes } from "./endpoints/responses/conversation-routes.ts";
import { responseRoutes } from "./endpoints/responses/response-routes.ts";
import { spendRoutes } from "./endpoints/spend/spend-routes.ts";
import { videoRoutes } from "./endpoints/videos/video-routes.ts";
import { claimedStorage } from "./files/claimed-storage.ts";
import { type FileDeps, FileService } from "./files/file-service.ts";
import type { FileStorage } from "./files/file-storage.ts";
import { flatStorage } from "./files/flat-storage.ts";
import { openStorage } from "./files/open-storage.ts";
import { type Foundation, type GatewayParts, openFoundation } from "./foundation.ts";
import { Dispatcher } from "./http/dispatcher.ts";
import { logRequests } from "./http/log-request.ts";
import type { RequestObserver } from "./http/request-log.ts";
import { GatewayServer } from "./http/server.ts";
import { idempotentRoutes, openIdempotency } from "./idempotency/idempotent-routes.ts";
import { type Origin, Ownership } from "./ids/ownership.ts";
import { meteredLedger } from "./ledger/metered-ledger.ts";
import { loadPrices } from "./ledger/price.ts";
import { warnedCost } from "./ledger/warned-cost.ts";
import { type LateCalls, Metrics } from "./observability/metrics.ts";
import { BatchStore } from "./persistence/batch-store.ts";
import { ObjectStore } from "./persistence/object-store.ts";
import { SettingsStore } from "./persistence/settings-store.ts";
import { SpendStore } from "./persistence/spend-store.ts";
import type { Store } from "./persistence/store.ts";
import { SubmissionStore } from "./persistence/submission-store.ts";
import { UnclaimedFileStore } from "./persistence/unclaimed-file-store.ts";
import { findProvider, providerNames } from "./providers/registry.ts";
import { Housekeeping } from "./queue/housekeeping.ts";
import type { ResourceDeps } from "./resources/resource-deps.ts";
import { ConversationService } from "./responses/conversation-service.ts";
import { InputTokenCounter } from "./responses/input-token-counter.ts";
import { openResponses } from "./responses/open-responses.ts";
import { ResponseService } from "./responses/response-service.ts";
import { DeploymentHealth } from "./routing/health.ts";
import { countTokens } from "./tokens/count.ts";
import { MemoryKeeper } from "./util/memory-keeper.ts";
import { openVideoKeeper } from "./videos/open-video-keeper.ts";
import { openVideoSource } from "./videos/open-video-source.ts";
import type { VideoSource, VideoSourceDeps } from "./videos/video-source.ts";

/** A gateway that is put together. */
export interface Gateway {
  readonly server: GatewayServer;
  /** Ends after the last running call, with everything written down. */
  close(): Promise<void>;
}

/** Composes a gateway that does not listen yet: its parts in the order in which a request meets them. */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const { config, logger } = parts;
  const [foundation] = await Promise.all([openFoundation(parts), loadPrices()]);
  const { store, keys } = foundation;
  const health = new DeploymentHealth();
  const { upstream, hooks } = foundation;
  const metrics = await openMetrics(parts, health);
  const ledger = metrics === undefined ? foundation.ledger : meteredLedger(foundation.ledger, metrics);
  const meter = metrics && ((late: LateCalls) => metrics.late(late));
  const traffic = new YieldingLimiter(foundation.limiter);
  const calls: CallDeps = {
    config,
    upstream,
    health,
    limiter: traffic.interactive,
    ledger,
    hooks,
    findProvider,
    dialectOf,
    costOf: warnedCost(logger),
    countTokens,
  };
  const resources: ResourceDeps = { ...calls, ownership: openOwnership(parts, foundation) };
  const batchStore = store && new BatchStore(store);
  const files: FileDeps = {
    ...resources,
    storage: openFiles(parts, store),
    objects: store && new ObjectStore(store),
    isInUse: async (fileId) => (await batchStore?.isInUse(fileId)) ?? false,
  };
  const agents = openAgents(calls, logger, store, foundation.queue, (principal) =>
    authenticator.recall(principal),
  );
  const tenantOf = (principal: Principal) => resources.ownership.tenantOf(principal);
  const authenticator = new Authenticator(config, parts.generatedMasterKey, keys?.remembered);
  const fileService = new FileService(files);
  const { ownership } = resources;
  const recallPrincipal = (remembered: Principal) => authenticator.recall(remembered);
  const responding = openResponses(
    { calls, ownership, files: fileService, logger, recallPrincipal, meter },
    store,
    foundation.queue,
  );
  const responses = new ResponseService(responding);
  const webhookSecret = store && (await new SettingsStore(store).secret("webhooks"));
  const managed =
    store &&
    foundation.queue &&
    openBatches({
      ...files,
      calls: { ...calls, limiter: traffic.batch },
      files: fileService,
      batches: batchStore!,
      submissions: new SubmissionStore(store),
      queue: foundation.queue,
      spend: new SpendStore(store),
      signals: new BatchSignals(),
      logger,
      meter,
      interactiveCalls: () => traffic.interactiveCalls,
      recallPrincipal,
      webhookSecret: webhookSecret!,
    });
  const filming: VideoSourceDeps = { ...files, files: fileService };
  const videos = openVideos(filming, files.storage, foundation, parts);
  const housekeeping =
    foundation.queue &&
    new Housekeeping(
      foundation.queue,
      {
        "expired-files": (signal) => fileService.removeExpired(signal),
        "expired-responses": () => responses.removeExpired(),
        "expired-submissions": async () => {
          await managed?.native.removeExpired();
          return false;
        },
      },
      logger,
    );
  const idempotency = openIdempotency(store, { tenantOf, logger });
  const routes: Route[] = [
    ...chatRoutes(calls),
    ...messageRoutes(calls),
    ...responseRoutes(responses, new InputTokenCounter(responding)),
    ...conversationRoutes(new ConversationService(responding)),
    ...embeddingRoutes(calls),
    ...modelRoutes(config),
    ...keyRoutes(keys),
    ...spendRoutes(keys),
    ...agentRoutes(agents?.agents),
    ...a2aRoutes(agents && { ...agents, config, authenticator, logger, tenantOf }),
    ...containerRoutes({ ...resources, files: fileService }),
    ...fileRoutes(files, fileService),
    ...batchRoutes({ ...files, health, files: fileService, managed }),
    ...webhookSecretRoute(webhookSecret, resources.ownership),
    ...videoRoutes({ ...filming, health, keeper: videos?.keeper }),
    metricsRoute(metrics, config.current().generalSettings.publicMetrics),
    ...healthRoutes({
      config,
      checkStore: store === undefined ? undefined : () => store.isAlive(),
      isResting: ({ id }) => health.state(id).restsForMs > 0,
    }),
  ];
  const log = logRequests(logger);
  const observe: RequestObserver =
    metrics === undefined
      ? log
      : (request) => {
          metrics.request(request.route, request.status);
          log(request);
        };
  const server = new GatewayServer(
    new Dispatcher({
      routes: idempotentRoutes([...routes, ...openapiRoutes(routes)], idempotency),
      authenticator,
      config,
      observe,
    }),
  );
  const close = async (): Promise<void> => {
    await server.drain();
    await managed?.stop();
    await agents?.close();
    await videos?.stop();
    await housekeeping?.stop();
    await Promise.all([idempotency?.close(), responses.close()]);
    await foundation.close();
  };
  return { server, close };
}

/** The metrics, where the configuration wants them at the start. */
async function openMetrics({ config }: GatewayParts, health: DeploymentHealth): Promise<Metrics | undefined> {
  if (!config.current().gatewaySettings.callbacks.includes(metricsCallback)) return undefined;
  return Metrics.open(() =>
    config
      .current()
      .deployments.map((deployment) => ({ deployment, rests: health.state(deployment.id).restsForMs > 0 })),
  );
}

/** Where files are kept; with a store, what killed writers left there is removed. */
function openFiles({ config, dataDirectory }: GatewayParts, store: Store | undefined): FileStorage {
  const storage = flatStorage(openStorage(config.current(), dataDirectory, store), new MemoryKeeper());
  return store === undefined ? storage : claimedStorage(storage, new UnclaimedFileStore(store));
}

/** Keeps finished videos where the configuration wants it. */
function openVideos(
  filming: VideoSourceDeps,
  storage: FileStorage,
  { queue }: Foundation,
  { config, logger }: GatewayParts,
) {
  const { objects, ownership } = filming;
  if (objects === undefined || queue === undefined) return undefined;
  const isWanted = () => config.current().gatewaySettings.keepArtifacts;
  const sourceOf = (origin: Origin): VideoSource => openVideoSource(filming, origin);
  return openVideoKeeper({ queue, objects, storage, ownership, sourceOf, isWanted }, logger);
}

/** Whose is which object, and which deployment made it. */
function openOwnership({ config }: GatewayParts, { store, objectIds }: Foundation): Ownership {
  return new Ownership({
    codec: objectIds,
    objects: store && new ObjectStore(store),
    deployments: () => config.current().deployments,
    providers: providerNames,
    scope: () => config.current().gatewaySettings.objectOwner,
    allowsProviderIds: () => config.current().gatewaySettings.allowProviderIds,
  });
}
