import {
  answers,
  type GroupDescription,
  json,
  paging,
  providerSelectors,
  query,
} from "../../contract/operation.ts";
import { bytes, deletion, object, orNull, page, text, whole, word } from "../../contract/schema.ts";

const video = object({
  "id!": text("Leads back to the provider that makes the video."),
  "object!": text("`video`"),
  status: text("`queued`, `in_progress`, `completed` or `failed`"),
  model: text(),
  progress: whole("Per cent."),
  created_at: whole(),
  completed_at: orNull(whole()),
  seconds: text(),
  size: text(),
  error: orNull(object()),
});
const wanted = { "prompt!": text(), model: text(), seconds: text(), size: text() };
const reference = object({
  image_url: text("An address or a `data:` URL."),
  file_id: text("An uploaded file."),
});

/** Videos (spec: Videos; OpenAI API reference: Videos). */
export const videoDescription: GroupDescription = {
  tag: "Videos",
  about: "Videos that a provider makes from a prompt.",
  operations: [
    {
      method: "POST",
      path: "/v1/videos",
      id: "createVideo",
      summary: "Start a video",
      request: {
        content: {
          "application/json": object({ ...wanted, input_reference: reference }),
          "multipart/form-data": object({ ...wanted, input_reference: bytes }),
        },
      },
      answer: answers("The video, queued.", video),
    },
    {
      method: "GET",
      path: "/v1/videos",
      id: "listVideos",
      summary: "List videos",
      parameters: [...providerSelectors, ...paging],
      answer: answers("The provider's page, as far as it is the caller's.", page(video)),
    },
    {
      method: "GET",
      path: "/v1/videos/{video_id}",
      id: "retrieveVideo",
      summary: "Retrieve a video and its status",
      parameters: providerSelectors,
      answer: answers("The video.", video),
    },
    {
      method: "DELETE",
      path: "/v1/videos/{video_id}",
      id: "deleteVideo",
      summary: "Delete a video",
      parameters: providerSelectors,
      answer: answers("It is gone.", deletion("video.deleted")),
    },
    {
      method: "GET",
      path: "/v1/videos/{video_id}/content",
      id: "downloadVideo",
      summary: "Download a video",
      parameters: [
        ...providerSelectors,
        query("variant", "Which of its files.", word(["video", "thumbnail", "spritesheet"])),
      ],
      answer: {
        about: "Its bytes, as an attachment; ranges are passed on.",
        content: { "video/mp4": bytes },
        headers: { "content-disposition": text("`attachment; filename=video_<video_id>.mp4`") },
      },
    },
    {
      method: "POST",
      path: "/v1/videos/{video_id}/remix",
      id: "remixVideo",
      summary: "Make a video from another one",
      parameters: providerSelectors,
      request: json(object({ "prompt!": text(), custom_llm_provider: text() })),
      answer: answers("The new video, queued.", video),
    },
  ],
};
