import { answers, type GroupDescription, json, paging, providerSelectors } from "../../contract/operation.ts";
import { bytes, deletion, list, object, orNull, page, text, whole } from "../../contract/schema.ts";

const expiry = object({ anchor: text("`last_active_at`"), minutes: whole() });
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
      parameters: providerSelectors,
      request: json(
        object({
          "name!": text(),
          expires_after: expiry,
          file_ids: list(text("Uploaded files to put into it.")),
          custom_llm_provider: text("The provider to use, where neither header nor query names it."),
        }),
      ),
      answer: answers("The container.", container),
    },
    {
      method: "GET",
      path: "/v1/containers",
      id: "listContainers",
      summary: "List containers",
      parameters: [...providerSelectors, ...paging],
      answer: answers("The provider's page, as far as it is the caller's.", page(container)),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}",
      id: "retrieveContainer",
      summary: "Retrieve a container",
      parameters: providerSelectors,
      answer: answers("The container.", container),
    },
    {
      method: "DELETE",
      path: "/v1/containers/{container_id}",
      id: "deleteContainer",
      summary: "Delete a container",
      parameters: providerSelectors,
      answer: answers("It is gone.", deletion("container.deleted")),
    },
    {
      method: "POST",
      path: "/v1/containers/{container_id}/files",
      id: "createContainerFile",
      summary: "Put a file into a container",
      parameters: providerSelectors,
      request: {
        content: {
          "multipart/form-data": object({ "file!": bytes }),
          "application/json": object({ "file_id!": text("An uploaded file.") }),
        },
      },
      answer: answers("The file.", file),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}/files",
      id: "listContainerFiles",
      summary: "List the files in a container",
      parameters: [...providerSelectors, ...paging],
      answer: answers("A page of files.", page(file)),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}/files/{file_id}",
      id: "retrieveContainerFile",
      summary: "Retrieve a file of a container",
      parameters: providerSelectors,
      answer: answers("The file.", file),
    },
    {
      method: "DELETE",
      path: "/v1/containers/{container_id}/files/{file_id}",
      id: "deleteContainerFile",
      summary: "Delete a file of a container",
      parameters: providerSelectors,
      answer: answers("It is gone.", deletion("container.file.deleted")),
    },
    {
      method: "GET",
      path: "/v1/containers/{container_id}/files/{file_id}/content",
      id: "downloadContainerFile",
      summary: "Download a file of a container",
      parameters: providerSelectors,
      answer: { about: "Its bytes.", content: { "application/octet-stream": bytes } },
    },
  ],
};
