import type { SpendStore } from "../ledger/spend-store.ts";
import type { Reservation } from "../limits/limiter.ts";

/** Milliseconds between two looks whether the row is there, at first and at most. */
const FIRST_LOOK = 1000;
const LAST_LOOK = 10_000;
/** Milliseconds after which what was begun counts as lost. */
const MAX_HOLD = 48 * 3_600_000;

/**
 * Holds a share of a budget until the spend log has the row of what was begun, whichever replica writes it: until then
 * its cost is not known.
 */
export function holdUntilSpent(
  spend: SpendStore,
  requestId: string,
  callType: string,
  reservation: Reservation,
): void {
  const startedAt = Date.now();
  const look = async (pause: number): Promise<void> => {
    const rows = await spend.page({ requestId }, 0, 10).catch(() => []);
    const isOver = rows.some((row) => row.call_type === callType) || Date.now() - startedAt > MAX_HOLD;
    if (isOver) reservation.release();
    else wait(Math.min(pause * 1.5, LAST_LOOK));
  };
  const wait = (pause: number): void => void setTimeout(() => void look(pause), pause).unref();
  wait(FIRST_LOOK);
}
