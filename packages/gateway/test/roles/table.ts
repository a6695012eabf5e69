import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  MANAGEMENT_ROLES,
  type ManagementRole,
  ROLE_TABLE,
  type RoleRow,
} from "../../src/core/auth/roles.ts";
import type { Operation } from "../rules/operations.ts";

const page = resolve(import.meta.dirname, "../../../../docs/gateway/roles.md");
const marks = /(<!-- npm run roles -w portico -->\n)[\s\S]*?(\n<!-- end -->)/;

/** A route that manages, with what each role reaches by it. */
export interface ManagedOperation {
  readonly operation: Operation;
  readonly row: RoleRow;
}

/** Paths below which everything manages something. */
const MANAGEMENT =
  /^\/(?:v2\/)?(?:key|team|user|organization|customer|end_user|budget|tag|audit|global|credentials|access_group|config)(?:\/|$)/;

/** Operations that manage: those of the table of roles, and those that only proxy administrators may ask for. */
export function managedOperations(operations: readonly Operation[]): ManagedOperation[] {
  return operations.flatMap((operation) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1").replace(/^\/end_user\//, "/customer/");
    const row = ROLE_TABLE[`${operation.method} ${path}`];
    if (row !== undefined) return [{ operation, row }];
    if (operation.access === "admin") {
      const sees: RoleRow = operation.method === "GET" ? { proxy_admin_viewer: ["all"] } : {};
      return [{ operation, row: { proxy_admin: ["all"], ...sees } }];
    }
    if (MANAGEMENT.test(operation.path))
      throw new Error(`${operation.method} ${operation.path} manages and has no row in the table of roles`);
    return [];
  });
}

/** The matrix of routes and roles, as the page has it. */
export function rolesMatrix(operations: readonly Operation[]): string {
  const rows = managedOperations(operations).map(({ operation, row }) => [
    `${operation.method} ${operation.path}`,
    ...MANAGEMENT_ROLES.map((role) => cellOf(row, role)),
    row.byMemberPermission === true ? "yes" : "",
  ]);
  const head = ["Route", ...MANAGEMENT_ROLES.map((role) => `\`${role}\``), "by permission"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellOf(row: RoleRow, role: ManagementRole): string {
  return row[role]?.join(", ") ?? "";
}

/** What stands between the page's marks. */
export function writtenMatrix(): string {
  const [all, begin, end] = marks.exec(readFileSync(page, "utf8")) ?? [];
  if (all === undefined)
    throw new Error("docs/gateway/roles.md lacks the marks between which the table stands");
  return all.slice(begin!.length, -end!.length);
}

export function writeMatrix(matrix: string): void {
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(marks, (_all, begin: string, end: string) => begin + matrix + end),
  );
}
