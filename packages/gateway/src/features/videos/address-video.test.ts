import { expect, it } from "vitest";
import { type AddressedVideo, videoData, videoDataAsFound } from "./address-video.ts";

it("Video provider selection: content and remix set the provider only when something named it", () => {
  const video = (isProviderFound: boolean) =>
    ({ id: "video_1", origin: { provider: "openai" }, isProviderFound }) as unknown as AddressedVideo;
  const named = { prompt: "x", video_id: "video_1", custom_llm_provider: "openai" };
  const body = { prompt: "x", custom_llm_provider: "" };
  expect(videoData(video(false), body)).toEqual(named);
  expect(videoDataAsFound(video(true), body)).toEqual(named);
  expect(videoDataAsFound(video(false), body)).toEqual({ prompt: "x", video_id: "video_1" });
});
