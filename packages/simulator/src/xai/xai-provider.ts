import type { Provider } from "../http/provider.ts";
import { RouteTable } from "../http/route.ts";
import { bearerProvider } from "../openai/openai-provider.ts";
import { commonRoutes } from "../openai/routes.ts";
import { fileRoutes, videoRoutes } from "./video-routes.ts";
import { XaiVideoStore } from "./video-store.ts";

const FILE_PREFIX = "/xai-files";

/** xAI at `/xai/v1`: a compatible host with videos of its own kind, whose bytes are at another address without a key. */
export function xaiProviders(): Provider[] {
  const videos = new XaiVideoStore();
  const files = new RouteTable(fileRoutes(videos));
  const reset = async (): Promise<void> => videos.clear();
  const api = bearerProvider("/xai", [...commonRoutes("compat"), ...videoRoutes(videos, FILE_PREFIX)], reset);
  return [
    api,
    {
      ...api,
      prefix: FILE_PREFIX,
      find: (exchange) => files.find(exchange.method, exchange.path),
      authenticate: () => {},
    },
  ];
}
