import type { JsonObject } from "../../../contract/json.ts";
import type { SpooledForm } from "./read-form.ts";

/** The name of a form's file as hooks see it. */
export function fileNameOf({ files }: SpooledForm): JsonObject {
  return files[0] === undefined ? {} : { filename: files[0].name };
}

/** The form with the name that hooks left its file. */
export function withFileName(form: SpooledForm, { filename }: JsonObject): SpooledForm {
  if (typeof filename !== "string") return form;
  return { ...form, files: form.files.map((file, at) => (at === 0 ? { ...file, name: filename } : file)) };
}
