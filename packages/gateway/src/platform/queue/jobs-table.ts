/** A job of the embedded queue. Times are milliseconds since the epoch, payload and checkpoint are JSON. */
export interface JobRow {
  queue: string;
  key: string;
  payload: string;
  checkpoint: string | null;
  state: "waiting" | "running" | "finished" | "failed" | "cancelled";
  priority: number;
  run_at: number;
  attempts: number;
  max_attempts: number;
  lease_token: string | null;
  lease_until: number | null;
  error: string | null;
  created_at: number;
}

export interface JobsSchema {
  jobs: JobRow;
}

declare module "../store/schema.ts" {
  interface Schema extends JobsSchema {}
}
