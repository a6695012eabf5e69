/** What `POST /_admin/settings` changes; all times in milliseconds. */
export interface Settings {
  /** Time a batch spends `validating`. */
  batchValidatingMs: number;
  /** Time a batch spends `in_progress` beside the work itself. */
  batchRunningMs: number;
  /** Time a batch spends `finalizing`. */
  batchFinalizingMs: number;
  /** Time after which a batch expires; 0 leaves the provider's 24 hours. */
  batchExpiresMs: number;
  /** Time a background response stays `queued`. */
  responseQueuedMs: number;
  /** Time a background response stays `in_progress`. */
  responseRunningMs: number;
  /** Time after which a WebSocket must be opened anew. */
  socketLifetimeMs: number;
  /** Time a video stays `queued`. */
  videoQueuedMs: number;
  /** Time a video stays `in_progress`. */
  videoRunningMs: number;
  /** Size of a finished video. */
  videoBytes: number;
}

/** The values a simulator starts with: quick enough for tests, slow enough to see each state. */
export function defaultSettings(): Settings {
  return {
    batchValidatingMs: 20,
    batchRunningMs: 20,
    batchFinalizingMs: 20,
    batchExpiresMs: 0,
    responseQueuedMs: 20,
    responseRunningMs: 50,
    socketLifetimeMs: 3_600_000,
    videoQueuedMs: 20,
    videoRunningMs: 50,
    videoBytes: 64 * 1024,
  };
}
