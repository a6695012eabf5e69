import { useQuery } from "@tanstack/react-query";
import { ask } from "../api/client.ts";
import type { Deployment } from "../api/types.ts";

/** The deployments that whoever is signed in may see. */
export function useDeployments() {
  return useQuery({
    queryKey: ["models"],
    queryFn: async () => (await ask<{ data: Deployment[] }>("v2/model/info")).data,
  });
}

/** The names that callers may ask for, each once. */
export function useModelNames(): string[] {
  const { data = [] } = useDeployments();
  return [...new Set(data.map(({ model_name }) => model_name))].sort();
}
