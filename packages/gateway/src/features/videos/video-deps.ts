import type { HealthBook } from "../../core/routing/health.ts";
import type { StoredVideos } from "./stored-videos.ts";
import type { VideoSourceDeps } from "./video-source.ts";

/** Videos also need the router: create names a model. */
export interface VideoDeps extends VideoSourceDeps {
  readonly health: HealthBook;
  /** Absent without a persistent store. */
  readonly stored: StoredVideos | undefined;
}
