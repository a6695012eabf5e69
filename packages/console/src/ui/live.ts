/** Milliseconds between two looks of pages that show what goes on now; hidden ones do not look. */
export const LIVE_EVERY = 3000;
