import type { Gateway } from "./cli/start-gateway.ts";
import type { Route } from "./contract/exchange.ts";
import type { Principal } from "./contract/principal.ts";
import { Authenticator } from "./core/auth/authenticate.ts";
import { mayUseDeployment } from "./core/auth/deployment-permission.ts";
import type { CallDeps } from "./core/call/model-call.ts";
import { Dispatcher } from "./core/http/dispatcher.ts";
import { logRequests } from "./core/http/log-request.ts";
import type { RequestObserver } from "./core/http/request-log.ts";
import { GatewayServer } from "./core/http/server.ts";
import { idempotentRoutes, openIdempotency } from "./core/idempotency/idempotent-routes.ts";
import { meteredLedger } from "./core/ledger/metered-ledger.ts";
import { loadPrices } from "./core/ledger/price.ts";
import { SpendStore } from "./core/ledger/spend-store.ts";
import { warnedCost } from "./core/ledger/warned-cost.ts";
import { ObjectStore } from "./core/objects/object-store.ts";
import { type Origin, Ownership } from "./core/objects/ownership.ts";
import type { ResourceDeps } from "./core/objects/resource-deps.ts";
import { DeploymentHealth } from "./core/routing/health.ts";
import { deploymentsOf } from "./core/routing/resolve-model.ts";
import { a2aRoutes } from "./features/agents/a2a/routes.ts";
import { openAgents } from "./features/agents/open-agents.ts";
import { agentRoutes } from "./features/agents/routes.ts";
import { BatchSignals } from "./features/batches/batch-signals.ts";
import { SubmissionStore } from "./features/batches/native/submission-store.ts";
import { openBatches } from "./features/batches/open-batches.ts";
import { batchRoutes, webhookSecretRoute } from "./features/batches/routes.ts";
import { BatchStore } from "./features/batches/store.ts";
import { YieldingLimiter } from "./features/batches/yielding-limiter.ts";
import { chatRoutes } from "./features/chat/routes.ts";
import { containerRoutes } from "./features/containers/routes.ts";
import { ConversationService } from "./features/conversations/conversation-service.ts";
import { conversationRoutes } from "./features/conversations/routes.ts";
import { embeddingRoutes } from "./features/embeddings/routes.ts";
import { claimedStorage } from "./features/files/claimed-storage.ts";
import { type FileDeps, FileService } from "./features/files/file-service.ts";
import type { FileStorage } from "./features/files/file-storage.ts";
import { flatStorage } from "./features/files/flat-storage.ts";
import { openStorage } from "./features/files/open-storage.ts";
import { fileRoutes } from "./features/files/routes.ts";
import { UnclaimedFileStore } from "./features/files/unclaimed-file-store.ts";
import { metricsRoute } from "./features/health/metrics-route.ts";
import { healthRoutes } from "./features/health/routes.ts";
import { keyRoutes } from "./features/keys/routes.ts";
import { messageRoutes } from "./features/messages/routes.ts";
import { modelRoutes } from "./features/models/routes.ts";
import { openapiRoutes } from "./features/openapi/routes.ts";
import { InputTokenCounter } from "./features/responses/input-token-counter.ts";
import { openResponses } from "./features/responses/open-responses.ts";
import { ResponseService } from "./features/responses/response-service.ts";
import { responseRoutes } from "./features/responses/routes.ts";
import { ResponseStore } from "./features/responses/store.ts";
import { spendRoutes } from "./features/spend/routes.ts";
import { openVideoKeeper } from "./features/videos/open-video-keeper.ts";
import { openVideoSource } from "./features/videos/open-video-source.ts";
import { videoRoutes } from "./features/videos/routes.ts";
import type { VideoSource, VideoSourceDeps } from "./features/videos/video-source.ts";
import { dialectOf } from "./formats/registry.ts";
import { countTokensApart } from "./formats/tokens/count-apart.ts";
import { type Foundation, openFoundation } from "./foundation.ts";
import { METRICS_CALLBACK } from "./platform/config/options/callbacks.ts";
import type { GatewayParts } from "./platform/gateway-parts.ts";
import { type LateCalls, Metrics } from "./platform/metrics/metrics.ts";
import { Housekeeping } from "./platform/queue/housekeeping.ts";
import { SettingsStore } from "./platform/store/settings-store.ts";
import type { Store } from "./platform/store/store.ts";
import { findProvider, providerNames } from "./providers/registry.ts";
import { MemoryKeeper } from "./util/memory-keeper.ts";

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
    countTokens: countTokensApart,
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
  if (!config.current().gatewaySettings.callbacks.includes(METRICS_CALLBACK)) return undefined;
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
  const responses = store && new ResponseStore(store);
  return new Ownership({
    codec: objectIds,
    objects: store && new ObjectStore(store),
    deployments: () => config.current().deployments,
    deploymentsOf: (model) => deploymentsOf(model, config.current()),
    permits: (principal, deployment) => mayUseDeployment(principal, deployment, config.current()),
    tenantsElsewhere: async (kind, providerIds) => {
      const rows = kind === "response" ? await responses?.findByProviderIds(providerIds) : undefined;
      return (rows ?? []).map(({ tenant }) => tenant);
    },
    providers: providerNames,
    scope: () => config.current().gatewaySettings.objectOwner,
    allowsProviderIds: () => config.current().gatewaySettings.allowProviderIds,
  });
}
