import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { Worker } from "../../platform/queue/worker.ts";
import type { Files } from "../files/open.ts";
import { openVideoSource } from "./open-video-source.ts";
import { videoRoutes } from "./routes.ts";
import { videoDescription } from "./schema.ts";
import { KEEP_QUEUE, StoredVideos } from "./stored-videos.ts";
import type { VideoSourceDeps } from "./video-source.ts";

/** Copies at the same moment. */
const COPIES_AT_ONCE = 4;

/** Videos at providers, copied here when they are finished where the configuration wants it. */
export function openVideos(core: Core, platform: Platform, files: Files): Feature {
  const { resources, objects, calls } = core;
  const sources: VideoSourceDeps = { ...resources, files: files.service, objects };
  const opened = openStored(sources, platform, files);
  return {
    routes: videoRoutes({ ...sources, health: calls.health, stored: opened?.stored }),
    descriptions: [videoDescription],
    stop: async () => opened?.worker.stop(),
  };
}

/** The copies of finished videos, and the worker that makes them; absent without a persistent store. */
function openStored(sources: VideoSourceDeps, { queue, config, logger }: Platform, { storage }: Files) {
  const { objects, ownership } = sources;
  if (objects === undefined || queue === undefined) return undefined;
  const stored = new StoredVideos({
    queue,
    objects,
    storage,
    ownership,
    sourceOf: (origin) => openVideoSource(sources, origin),
    isWanted: () => config.current.gatewaySettings.keepArtifacts,
  });
  const worker = new Worker({
    queue,
    name: KEEP_QUEUE,
    handler: stored.keep,
    concurrency: COPIES_AT_ONCE,
    onError: (error) => logger.warn({ error: describeError(error) }, "video not kept yet"),
  });
  stored.onWork = () => worker.wake();
  return { stored, worker };
}
