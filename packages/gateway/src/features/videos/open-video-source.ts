import type { Origin } from "../../core/objects/ownership.ts";
import { ResourceClient } from "../../core/objects/resource-client.ts";
import type { HealthBook } from "../../core/routing/health.ts";
import { JobVideos } from "./job-videos.ts";
import { OpenaiVideos } from "./openai-videos.ts";
import type { StoredVideos } from "./stored-videos.ts";
import type { VideoSource, VideoSourceDeps } from "./video-source.ts";

/** Videos also need the router: create names a model. */
export interface VideoDeps extends VideoSourceDeps {
  readonly health: HealthBook;
  /** Absent without a persistent store. */
  readonly stored: StoredVideos | undefined;
}

/** The way to the videos of this place. */
export function openVideoSource(deps: VideoSourceDeps, origin: Origin): VideoSource {
  const jobs = deps.findProvider(origin.deployment?.provider ?? origin.provider)?.videoJobs;
  const client = new ResourceClient(deps);
  return jobs === undefined
    ? new OpenaiVideos(deps, client, origin)
    : new JobVideos(deps, client, origin, jobs);
}
