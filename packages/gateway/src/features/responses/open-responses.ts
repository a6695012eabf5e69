import { SpendStore } from "../../core/ledger/spend-store.ts";
import { Journal } from "../../platform/journal/journal.ts";
import { JournalStore } from "../../platform/journal/journal-store.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { Store } from "../../platform/store/store.ts";
import { ConversationStore } from "./conversation-store.ts";
import type { ResponseDeps } from "./response-deps.ts";
import { ResponseStore } from "./store.ts";

/** What responses work with, on a store where there is one. */
export function openResponses(
  deps: Omit<ResponseDeps, "state">,
  store: Store | undefined,
  queue: JobQueue | undefined,
): ResponseDeps {
  if (store === undefined || queue === undefined) return { ...deps, state: undefined };
  return {
    ...deps,
    state: {
      responses: new ResponseStore(store),
      conversations: new ConversationStore(store),
      journal: new Journal(new JournalStore(store)),
      queue,
      spend: new SpendStore(store),
    },
  };
}
