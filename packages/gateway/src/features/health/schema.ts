import { answers, type GroupDescription } from "../../contract/operation.ts";
import { list, object, text, whole } from "../../contract/schema.ts";

const deployment = object({
  model: text(),
  model_name: text(),
  model_id: text(),
  latency_ms: whole("Milliseconds until an answer began, lately; absent before the first one."),
  cooldown_seconds: whole("How long it still rests."),
});
/** Of which deployments `/health` tells. */
export const healthQuery = object({
  model: text(
    "A name of the model list, or a model at its provider (`openai/gpt-4o`); without one all of them.",
  ),
  model_id: text("A deployment's id."),
});
const readiness = object({ "status!": text(), db: text("State of the store."), portico_version: text() });
const alive = answers("The process runs.", text());

/** Whether the gateway lives and can serve. */
export const healthDescription: GroupDescription = {
  tag: "Health",
  about: "For orchestrators and operators. No model is called.",
  operations: [
    {
      method: "GET",
      path: "/health/liveliness",
      id: "checkLiveliness",
      summary: "Is the process alive?",
      answer: alive,
    },
    {
      method: "GET",
      path: "/health/liveness",
      id: "checkLiveness",
      summary: "Is the process alive?",
      answer: alive,
    },
    {
      method: "GET",
      path: "/health/readiness",
      id: "checkReadiness",
      summary: "Can the gateway serve?",
      answer: answers("It can.", readiness),
      errors: { 503: { when: "The store does not answer.", body: readiness } },
    },
    {
      method: "GET",
      path: "/health",
      id: "listDeploymentHealth",
      summary: "Which deployments are in use, which rest after failures",
      query: healthQuery,
      answer: answers(
        "Judged by the calls that were made.",
        object({
          "healthy_endpoints!": list(deployment),
          "unhealthy_endpoints!": list(deployment),
          healthy_count: whole(),
          unhealthy_count: whole(),
        }),
      ),
    },
    {
      method: "GET",
      path: "/metrics",
      id: "readMetrics",
      summary: "Figures for Prometheus, with `callbacks: [prometheus]`",
      answer: { about: "Prometheus's text format.", content: { "text/plain": text() } },
    },
  ],
};
