import { Journal } from "../journal/journal.ts";
import { ConversationStore } from "../persistence/conversation-store.ts";
import { JournalStore } from "../persistence/journal-store.ts";
import { ResponseStore } from "../persistence/response-store.ts";
import { SpendStore } from "../persistence/spend-store.ts";
import type { Store } from "../persistence/store.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import type { ResponseDeps } from "./response-deps.ts";

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
