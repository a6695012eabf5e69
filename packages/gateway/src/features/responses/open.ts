import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { Journal } from "../../platform/journal/journal.ts";
import { JournalStore } from "../../platform/journal/journal-store.ts";
import type { Platform } from "../../platform/open-platform.ts";
import type { Conversations } from "../conversations/routes.ts";
import { ResponseCompactor } from "./compact.ts";
import { InputTokenCounter } from "./input-token-counter.ts";
import { ResponseStore } from "./record/store.ts";
import type { ResponseDeps, ResponseState } from "./response-deps.ts";
import { ResponseService } from "./response-service.ts";
import { responseRoutes } from "./routes.ts";
import { responseDescription } from "./schema.ts";
import { responseSocket } from "./socket/response-socket.ts";
import { warmUp } from "./socket/warm-up.ts";

/** Responses on any model, stored where there is a store. */
export function openResponses(core: Core, platform: Platform, conversations: Conversations): Feature {
  const deps: ResponseDeps = {
    calls: core.calls,
    ownership: core.resources.ownership,
    seal: core.seal,
    logger: platform.logger,
    meter: core.meter,
    recallPrincipal: core.recallPrincipal,
    state: openState(core, platform, conversations),
  };
  const service = new ResponseService(deps);
  const socket = responseSocket({
    warmUp: (exchange) => warmUp(deps, exchange),
    hasStore: deps.state !== undefined,
  });
  return {
    routes: responseRoutes(service, new InputTokenCounter(deps), new ResponseCompactor(deps), socket),
    descriptions: [responseDescription],
    chores: { "expired-responses": () => service.removeExpired() },
    close: () => service.close(),
  };
}

function openState(
  { spend, resources: { ownership } }: Core,
  { store, queue }: Platform,
  { store: conversations }: Conversations,
): ResponseState | undefined {
  if (!(store && queue && spend && conversations)) return undefined;
  const journal = new Journal(new JournalStore(store));
  const responses = new ResponseStore(store);
  ownership.addRecords(async (kind, providerIds) => {
    const rows = kind === "response" ? await responses.findByProviderIds(providerIds) : [];
    return rows.map(({ tenant }) => tenant);
  });
  ownership.addItems((ids) => responses.tenantsOfItems(ids));
  return { responses, conversations, journal, queue, spend };
}
