import type { A2ASchema } from "./tables/a2a-tables.ts";
import type { AgentsSchema } from "./tables/agents-table.ts";
import type { BatchesSchema } from "./tables/batches-table.ts";
import type { FilesSchema } from "./tables/files-table.ts";
import type { JobsSchema } from "./tables/jobs-table.ts";
import type { JournalsSchema } from "./tables/journals-tables.ts";
import type { KeysSchema } from "./tables/keys-table.ts";
import type { ObjectsSchema } from "./tables/objects-table.ts";
import type { ResponsesSchema } from "./tables/responses-tables.ts";
import type { SettingsSchema } from "./tables/settings-table.ts";
import type { SpendSchema } from "./tables/spend-tables.ts";

/** Every table of the store; a topic adds its own here and its migration to the list. */
export interface Schema
  extends KeysSchema,
    SpendSchema,
    SettingsSchema,
    JobsSchema,
    ObjectsSchema,
    AgentsSchema,
    A2ASchema,
    FilesSchema,
    BatchesSchema,
    ResponsesSchema,
    JournalsSchema {}
