import { answers, type GroupDescription } from "../../contract/operation.ts";
import { pageQuery } from "../../contract/paging.ts";
import { bytes, deletion, list, object, orNull, page, text, whole } from "../../contract/schema.ts";
import { selectorOrder } from "../../core/objects/choose-provider.ts";

/** The form of an upload. */
export const uploadForm = object({
  "file!": bytes,
  "purpose!": text("`batch`, `user_data`, ...", { minLength: 1 }),
  target_model_names: text("Comma-separated: the file stays here and is taken to each model's provider."),
  model: text("The same for one model."),
  custom_llm_provider: text("The provider to use, where the path does not name it."),
  "expires_after[anchor]": text("`created_at`"),
  "expires_after[seconds]": whole("From an hour to thirty days.", { minimum: 3600, maximum: 2_592_000 }),
});

/** The query of a list of files. */
export const filePage = pageQuery(10_000, 10_000);
export const fileQuery = object({ ...filePage, purpose: text("Only files for this purpose.") });

const file = object({
  "id!": text(),
  "object!": text("`file`"),
  bytes: whole(),
  created_at: whole(),
  expires_at: orNull(whole()),
  filename: text(),
  purpose: text(),
  status: text(),
  target_model_names: list(text(), "Of files that are for several models."),
});

/** Files (OpenAI API reference: Files). */
export const fileDescription: GroupDescription = {
  tag: "Files",
  about: "Files for batches and other calls, at a provider or kept by the gateway.",
  operations: [
    {
      method: "POST",
      path: "/v1/files",
      id: "createFile",
      summary: "Upload a file",
      selectors: selectorOrder["POST files"],
      request: { content: { "multipart/form-data": uploadForm } },
      answer: answers("The file; it is on disk, or at its provider.", file),
      errors: { 413: { when: "The file is larger than `max_file_size_mb`." } },
    },
    {
      method: "GET",
      path: "/v1/files",
      id: "listFiles",
      summary: "List files",
      selectors: selectorOrder["GET files"],
      query: fileQuery,
      answer: answers(
        "The provider's files and the gateway's own, as far as they are the caller's.",
        page(file),
      ),
    },
    {
      method: "GET",
      path: "/v1/files/{file_id}",
      id: "retrieveFile",
      summary: "Retrieve a file",
      selectors: selectorOrder["files/{id}"],
      answer: answers("The file.", file),
    },
    {
      method: "DELETE",
      path: "/v1/files/{file_id}",
      id: "deleteFile",
      summary: "Delete a file",
      selectors: selectorOrder["files/{id}"],
      answer: answers("It is gone.", deletion("file")),
    },
    {
      method: "GET",
      path: "/v1/files/{file_id}/content",
      id: "downloadFile",
      summary: "Download a file",
      selectors: selectorOrder["files/{id}"],
      answer: { about: "Its bytes.", content: { "application/octet-stream": bytes } },
    },
  ],
};
