import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { nestedFields } from "../../core/http/multipart/nested-fields.ts";
import { readForm } from "../../core/http/multipart/read-form.ts";
import type { SpooledForm } from "../../core/http/multipart/spooled-form.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { chooseOrigin } from "./choose-origin.ts";
import { expectedCost } from "./expected-cost.ts";
import { openVideoSource } from "./open-video-source.ts";
import type { VideoDeps } from "./video-deps.ts";
import { registerVideo } from "./video-object.ts";

/** A field may hold an image as a `data:` URL. */
const formLimits = {
  fileFields: ["input_reference"],
  maxFiles: 1,
  maxFileBytes: 2 * 1024 ** 3,
  maxFieldBytes: 32 * 1024 ** 2,
};

/** Creates a video from JSON, or from a form that may carry a reference file, which goes by way of the disk. */
export async function createVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const isForm = /^multipart\//i.test(exchange.headers["content-type"] ?? "");
  if (!isForm) return start(deps, exchange, await parseJsonBody(exchange), undefined);
  const form = await readForm(exchange, formLimits);
  try {
    return await start(deps, exchange, nestedFields(form.fields), form);
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
  const run = async (changed: JsonObject): Promise<JsonObject> => {
    const { origin, model } = chooseOrigin(deps, exchange, changed);
    const rest = withoutLitellmFields(changed);
    const fields = model === undefined ? rest : { ...rest, model };
    const begun = await openVideoSource(deps, origin).create({ fields, form, exchange });
    return registerVideo(deps, exchange, origin, begun);
  };
  return governedJson(deps, exchange, data, run, expectedCost(deps.config, data));
}
