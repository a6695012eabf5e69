import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, ask, send } from "./api/client.ts";
import type { Session } from "./api/types.ts";

const SESSION = ["session"] as const;

/** Who is signed in; undefined when nobody is. The browser keeps the session in a cookie that no script can read. */
export function useSession(): { session: Session | undefined; isPending: boolean } {
  const { data, isPending } = useQuery({
    queryKey: SESSION,
    queryFn: async () => {
      try {
        return await ask<Session>("ui/session");
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
  });
  return { session: data ?? undefined, isPending };
}

/** Signs in with a gateway key. */
export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => ask<Session>("ui/session", { method: "POST", body: { key } }),
    onSuccess: (session) => queries.setQueryData(SESSION, session),
  });
}

/** Ends the session, and forgets what was read in it. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ by }: Session) =>
      by === "sso" ? send("sso/logout", { method: "POST" }) : send("ui/session", { method: "DELETE" }),
    onSuccess: () => {
      queries.setQueryData(SESSION, null);
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    },
  });
}
