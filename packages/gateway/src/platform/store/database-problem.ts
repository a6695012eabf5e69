/** What PostgreSQL's codes say of a server that cannot be used, with the next step (appendix A of its manual). */
const problems: Readonly<Record<string, string>> = {
  "25006": "takes no changes: name the primary server in DATABASE_URL, not a standby",
  "53100": "has a full disk: make room there",
  "53300":
    "takes no more connections: every process of the gateway, each worker and each replica, wants eight; raise its max_connections, or start fewer processes",
};

/** Why a PostgreSQL cannot be used, where the driver's error says so in a way that has a next step of its own. */
export function databaseProblem(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  const problem = typeof code === "string" && Object.hasOwn(problems, code) ? problems[code] : undefined;
  return problem && `PostgreSQL at DATABASE_URL ${problem}`;
}
