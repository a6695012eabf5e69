import type { SettingsSchema } from "./settings-table.ts";

/**
 * Every table of the store. Who owns a table adds it from its own folder:
 * `declare module ".../platform/store/schema.ts" { interface Schema extends KeysSchema {} }`.
 */
export interface Schema extends SettingsSchema {}
