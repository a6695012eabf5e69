import type { ResourceDeps } from "../../resources/resource-deps.ts";
import type { HealthBook } from "../../routing/health.ts";
import type { VideoKeeper } from "../../videos/video-keeper.ts";

/** Videos also need the router: create names a model. */
export interface VideoDeps extends ResourceDeps {
  readonly health: HealthBook;
  /** Absent without a persistent store. */
  readonly keeper: VideoKeeper | undefined;
}
