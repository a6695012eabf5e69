import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { pageQuery } from "../../contract/paging.ts";
import { bytes, deletion, given, list, object, orNull, page, text, whole } from "../../contract/schema.ts";
import { selectorOrder } from "../../core/objects/choose-provider.ts";

const expiry = given({
  anchor: text("From when it counts.", { examples: ["last_active_at"] }),
  minutes: whole(undefined, { examples: [20] }),
});

/** The body that creates a container; what the provider wants beyond it is the provider's to check. */
export const createContainer = given({
  name: text("Providers want one."),
  expires_after: expiry,
  file_ids: list(text(), "Uploaded files to put into it."),
  custom_llm_provider: text("The provider to use, where neither header nor query names it."),
});

/** The body that puts an uploaded file into a container. */
export const addContainerFile = given({ file_id: text("An uploaded file.") });

/** The query of the lists, which are a provider's. */
export const containerQuery = object(pageQuery(100));
const container = object({
  "id!": text(),
  "object!": text("`container`"),
  name: text(),
  status: text(),
  created_at: whole(),
  last_active_at: orNull(whole()),
  expires_after: orNull(expiry),
});
const file = object({
  "id!": text(),
  "object!": text("`container.file`"),
  container_id: text(),
  path: text(),
  bytes: orNull(whole()),
  source: text(),
  created_at: whole(),
});

/** Containers and their files (spec: Containers; OpenAI API reference: Containers). */
export const containerDescription: GroupDescription = {
  tag: "Containers",
  about: "Sandboxes for code at a provider, and the files in them.",
  operations: [
    {
      method: "POST",
      path: "/v1/containers",
      id: "createContainer",
      summary: "Create a container",
      selectors: selectorOrder["POST containers"],
      request: json(createContainer),
      answer: answers("The container.", container),
    },
    {
      method: "GET",
      path: "/v1/containers",
      id: "listContainers",
      summary: "List containers",
      selectors: selectorOrder["GET containers"],
      query: containerQuery,
      answer: answers("The provider's page, as far as it is the caller's.", page(container)),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}",
      id: "retrieveContainer",
      summary: "Retrieve a container",
      selectors: selectorOrder["containers/{id}"],
      answer: answers("The container.", container),
    },
    {
      method: "DELETE",
      path: "/v1/containers/{container_id}",
      id: "deleteContainer",
      summary: "Delete a container",
      selectors: selectorOrder["containers/{id}"],
      answer: answers("It is gone.", deletion("container.deleted")),
    },
    {
      method: "POST",
      path: "/v1/containers/{container_id}/files",
      id: "createContainerFile",
      summary: "Put a file into a container",
      selectors: selectorOrder["containers/{id}"],
      request: {
        content: {
          "multipart/form-data": object({ "file!": bytes }),
          "application/json": addContainerFile,
        },
      },
      answer: answers("The file.", file),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}/files",
      id: "listContainerFiles",
      summary: "List the files in a container",
      selectors: selectorOrder["containers/{id}"],
      query: containerQuery,
      answer: answers("A page of files.", page(file)),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}/files/{file_id}",
      id: "retrieveContainerFile",
      summary: "Retrieve a file of a container",
      selectors: selectorOrder["containers/{id}"],
      answer: answers("The file.", file),
    },
    {
      method: "DELETE",
      path: "/v1/containers/{container_id}/files/{file_id}",
      id: "deleteContainerFile",
      summary: "Delete a file of a container",
      selectors: selectorOrder["containers/{id}"],
      answer: answers("It is gone.", deletion("container.file.deleted")),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}/files/{file_id}/content",
      id: "downloadContainerFile",
      summary: "Download a file of a container",
      selectors: selectorOrder["containers/{id}"],
      answer: { about: "Its bytes.", content: { "application/octet-stream": bytes } },
    },
  ],
};
