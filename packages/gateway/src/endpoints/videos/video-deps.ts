import type { HealthBook } from "../../routing/health.ts";
import type { VideoKeeper } from "../../videos/video-keeper.ts";
import type { VideoSourceDeps } from "../../videos/video-source.ts";

/** Videos also need the router: create names a model. */
export interface VideoDeps extends VideoSourceDeps {
  readonly health: HealthBook;
  /** Absent without a persistent store. */
  readonly keeper: VideoKeeper | undefined;
}
