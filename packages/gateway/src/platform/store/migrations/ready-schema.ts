/**
 * What all migrations make of an SQLite database that is empty, as statements. A build puts it here (`rolldown.config.ts`);
 * the sources run the migrations themselves.
 */
export const readySchema = undefined as string | undefined;
