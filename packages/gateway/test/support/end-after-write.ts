import { existsSync, readFileSync } from "node:fs";
import { StatementSync } from "node:sqlite";

/**
 * Loaded by gateways that a test ends between two writes. Once the file that END_AFTER_WRITE names is there, with a
 * number, the process ends by SIGKILL as soon as so many more changes of the embedded store are durable: a transaction
 * is one, and what changes nothing is none. What housekeeping writes into its queue after a start is none either: it comes
 * at any moment, also between a provider's answer and the write that tells of it, where a crash leaves what nobody knows.
 */
const file = process.env.END_AFTER_WRITE!;
let left: number | undefined;
let isInTransaction = false;
let hasChanged = false;

function noteChange(): void {
  if (left === undefined && existsSync(file)) left = Number(readFileSync(file, "utf8"));
  if (left === undefined) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, "SIGKILL");
}

function after(sql: string, values: readonly unknown[], changes: number): void {
  if (sql.startsWith("begin")) {
    isInTransaction = true;
    hasChanged = false;
  } else if (sql === "commit" || sql === "rollback") {
    isInTransaction = false;
    if (sql === "commit" && hasChanged) noteChange();
  } else if (changes > 0 && !values.includes("housekeeping")) {
    if (isInTransaction) hasChanged = true;
    else noteChange();
  }
}

const { run, all } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
  const done = Reflect.apply(run, this, values) as ReturnType<typeof run>;
  after(this.sourceSQL, values, Number(done.changes));
  return done;
};
StatementSync.prototype.all = function (this: StatementSync, ...values: unknown[]) {
  const rows = Reflect.apply(all, this, values) as ReturnType<typeof all>;
  const isWrite = /^(insert|update|delete)/i.test(this.sourceSQL);
  after(this.sourceSQL, values, isWrite ? rows.length : 0);
  return rows;
};
