import type { Provider } from "../http/provider.ts";
import { RouteTable } from "../http/route.ts";
import { authenticate } from "./authenticate.ts";
import { batchRoutes } from "./batches/batch-routes.ts";
import { cachedContentRoutes } from "./cached-contents.ts";
import { generateRoutes } from "./content/generate-routes.ts";
import { embedRoutes } from "./embeddings/embed-routes.ts";
import { errorEnvelope } from "./error-envelope.ts";
import { fileRoutes } from "./files/file-routes.ts";
import { GoogleAccount } from "./google-account.ts";
import { modelRoutes } from "./models.ts";
import { videoRoutes } from "./videos/video-routes.ts";

/** Google Gemini, at `/google/v1beta`. */
export function googleProvider(): Provider {
  const account = new GoogleAccount();
  const table = new RouteTable([
    ...generateRoutes,
    ...embedRoutes,
    ...batchRoutes(account),
    ...cachedContentRoutes(account),
    ...videoRoutes(account),
    ...modelRoutes,
    ...fileRoutes(account.files, account.uploads),
  ]);
  return {
    prefix: "/google",
    requestIdPrefix: "",
    find: (exchange) => table.find(exchange.method, exchange.path),
    authenticate,
    headers: () => ({ "server-timing": "gfet4t7; dur=1", "x-content-type-options": "nosniff" }),
    errorBody: errorEnvelope,
    errorEvent: (failure) => `data: ${JSON.stringify(errorEnvelope(failure))}\r\n\r\n`,
    reset: () => account.reset(),
  };
}
