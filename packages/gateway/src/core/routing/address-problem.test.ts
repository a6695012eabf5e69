import { describe, expect, it, vi } from "vitest";
import { providerNames } from "../../providers/registry.ts";
import { addressProblem } from "./address-problem.ts";
import { directDeployment } from "./direct-deployment.ts";

describe("addressProblem", () => {
  it.each(providerNames)("finds nothing wrong with a complete deployment of %s", (name) => {
    const deployment = {
      ...directDeployment(`${name}/some-model`, "http://127.0.0.1:9"),
      params: { vertex_project: "p", vertex_location: "us-east5", aws_region_name: "us-east-1" },
    };
    expect(addressProblem(deployment)).toBeUndefined();
  });

  it("names the project that a deployment of Vertex AI lacks", () => {
    vi.stubEnv("VERTEXAI_PROJECT", "");
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", "");
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", "");
    for (const model of ["vertex_ai/gemini-2.5-pro", "vertex_ai/claude-sonnet-4-5"])
      expect(addressProblem(directDeployment(model))).toContain("vertex_project");
    vi.unstubAllEnvs();
  });

  it("names the address that a deployment of Azure lacks", () => {
    vi.stubEnv("AZURE_API_BASE", "");
    vi.stubEnv("AZURE_OPENAI_ENDPOINT", "");
    expect(addressProblem(directDeployment("azure/gpt-4o"))).toContain("api_base");
    vi.unstubAllEnvs();
  });

  it.each(providerNames)("finds any name of a model that no address of %s can have", (name) => {
    for (const model of ["", "..", "a/../b", "a%2fb", "a\\b", " a"]) {
      const complete = directDeployment(`${name}/some-model`, "http://127.0.0.1:9");
      const params = { vertex_project: "p", vertex_location: "us-east5", aws_region_name: "us-east-1" };
      const problem = addressProblem({ ...complete, model, params });
      // Most providers have the name in the body alone.
      if (problem !== undefined) expect(problem).toContain(`write model: ${complete.provider}/`);
    }
    const azure = directDeployment("azure/gpt-4o", "http://127.0.0.1:9");
    expect(addressProblem({ ...azure, model: "" })).toContain("write model: azure/<the model's name>");
  });
});
