import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { pageQuery } from "../../contract/paging.ts";
import {
  amount,
  bytes,
  deletion,
  either,
  given,
  object,
  orNull,
  page,
  text,
  whole,
} from "../../contract/schema.ts";
import { selectorOrder } from "../../core/objects/choose-provider.ts";

const wanted = {
  "prompt!": text("What is to be seen.", { minLength: 1 }),
  model: text("A name of the model list, or a model of the provider; `sora-2` where none is named."),
  seconds: either(text("Its length.", { examples: ["8"] }), amount()),
  size: text("Width and height.", { examples: ["1280x720"] }),
  custom_llm_provider: text("The provider to use, where the model does not say."),
};

/** The body that creates a video. */
export const createVideoBody = given({
  ...wanted,
  input_reference: either(
    given({ image_url: text("An address or a `data:` URL."), file_id: text("An uploaded file.") }),
    text("An uploaded file, for providers that take it so."),
  ),
});

/** The same as a form, whose reference is a file part; `input_reference[image_url]` is read too. */
export const createVideoForm = object({ ...wanted, input_reference: bytes });

/** The body that makes a video from another one. */
export const remixVideoBody = given({
  "prompt!": text("What is to be different.", { minLength: 1 }),
  custom_llm_provider: text("The provider to use, where neither header nor query names it."),
});

/** The query of a list. */
export const videoPage = pageQuery(100, 20);
export const videoQuery = object(videoPage);

/** The query of a download; the thumbnail and the spritesheet are OpenAI's. */
export const contentQuery = object({
  variant: text("Which of its files: `video`, `thumbnail` or `spritesheet`."),
});

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
          "application/json": createVideoBody,
          "multipart/form-data": createVideoForm,
        },
      },
      answer: answers("The video, queued.", video),
    },
    {
      method: "GET",
      path: "/v1/videos",
      id: "listVideos",
      summary: "List videos",
      selectors: selectorOrder["GET videos"],
      query: videoQuery,
      answer: answers("The provider's page, as far as it is the caller's.", page(video)),
    },
    {
      method: "GET",
      path: "/v1/videos/{video_id}",
      id: "retrieveVideo",
      summary: "Retrieve a video and its status",
      selectors: selectorOrder["videos/{id}"],
      answer: answers("The video.", video),
    },
    {
      method: "DELETE",
      path: "/v1/videos/{video_id}",
      id: "deleteVideo",
      summary: "Delete a video",
      selectors: selectorOrder["videos/{id}"],
      answer: answers("It is gone.", deletion("video.deleted")),
    },
    {
      method: "GET",
      path: "/v1/videos/{video_id}/content",
      id: "downloadVideo",
      summary: "Download a video",
      selectors: selectorOrder["videos/{id}"],
      query: contentQuery,
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
      selectors: selectorOrder["videos/{id}"],
      request: json(remixVideoBody),
      answer: answers("The new video, queued.", video),
    },
  ],
};
