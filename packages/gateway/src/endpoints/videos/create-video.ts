import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { governedJson } from "../../resources/governed-call.ts";
import { readForm } from "../../resources/multipart/read-form.ts";
import type { SpooledForm } from "../../resources/multipart/spooled-form.ts";
import { writeForm } from "../../resources/multipart/write-form.ts";
import { ResourceClient, type ResourceRequest } from "../../resources/resource-client.ts";
import { chooseOrigin } from "./choose-origin.ts";
import type { VideoDeps } from "./video-deps.ts";
import { registerVideo } from "./video-object.ts";

const formLimits = { fileFields: ["input_reference"], maxFiles: 1, maxFileBytes: 2 * 1024 ** 3 };

/** Creates a video from JSON, or from a form that may carry a reference file, which goes by way of the disk. */
export async function createVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const isForm = /^multipart\//i.test(exchange.headers["content-type"] ?? "");
  if (!isForm) return start(deps, exchange, await parseJsonBody(exchange), undefined);
  const form = await readForm(exchange, formLimits);
  try {
    return await start(deps, exchange, Object.fromEntries(form.fields), form);
  } finally {
    await form.remove();
  }
}

/** @param form the files that belong to `data`, its fields */
function start(
  deps: VideoDeps,
  exchange: Exchange,
  data: JsonObject,
  form: SpooledForm | undefined,
): Promise<Reply> {
  if (typeof data.prompt !== "string" || data.prompt === "")
    throw invalidRequest("prompt is required", "prompt");
  return governedJson(deps, exchange, data, async (changed) => {
    const { origin, model } = chooseOrigin(deps, exchange, changed);
    const { custom_llm_provider, ...rest } = changed;
    const request = upstreamRequest(model === undefined ? rest : { ...rest, model }, form);
    const video = await new ResourceClient(deps).json(origin, request, exchange);
    return registerVideo(deps, exchange.principal, origin, video);
  });
}

function upstreamRequest(fields: JsonObject, form: SpooledForm | undefined): ResourceRequest {
  if (form === undefined) return { method: "POST", path: "/videos", body: fields };
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return { method: "POST", path: "/videos", ...writeForm({ fields: texts, files: form.files }) };
}
