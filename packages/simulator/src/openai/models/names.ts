/** Names of models as openai's SDK 7.57 (`AllModels`, `EmbeddingModel`, `ImageModel`, `SpeechModel`, `AudioModel`, `VideoModel`) has them. */
export const modelNames: readonly string[] = `
  gpt-6-astra gpt-6.1-sol gpt-6.1-terra gpt-6-sol gpt-6-luna gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.5
  gpt-5.5-2026-04-23 gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.4-mini-2026-03-17 gpt-5.4-nano-2026-03-17
  gpt-5.3-chat-latest gpt-5.2 gpt-5.2-2025-12-11 gpt-5.2-chat-latest gpt-5.2-pro gpt-5.2-pro-2025-12-11 gpt-5.1
  gpt-5.1-2025-11-13 gpt-5.1-codex gpt-5.1-mini gpt-5.1-chat-latest gpt-5 gpt-5-mini gpt-5-nano gpt-5-2025-08-07
  gpt-5-mini-2025-08-07 gpt-5-nano-2025-08-07 gpt-5-chat-latest gpt-4.1 gpt-4.1-mini gpt-4.1-nano
  gpt-4.1-2025-04-14 gpt-4.1-mini-2025-04-14 gpt-4.1-nano-2025-04-14 o4-mini o4-mini-2025-04-16 o3 o3-2025-04-16
  o3-mini o3-mini-2025-01-31 o1 o1-2024-12-17 gpt-4o gpt-4o-2024-11-20 gpt-4o-2024-08-06 gpt-4o-2024-05-13
  gpt-audio-mini gpt-audio-mini-2025-12-15 gpt-4o-audio-preview gpt-4o-audio-preview-2024-12-17
  gpt-4o-audio-preview-2025-06-03 gpt-4o-mini-audio-preview gpt-4o-mini-audio-preview-2024-12-17
  gpt-4o-search-preview gpt-4o-mini-search-preview gpt-4o-search-preview-2025-03-11
  gpt-4o-mini-search-preview-2025-03-11 chatgpt-4o-latest codex-mini-latest gpt-4o-mini gpt-4o-mini-2024-07-18
  gpt-4-turbo gpt-4-turbo-2024-04-09 gpt-4 gpt-4-0613 gpt-3.5-turbo gpt-3.5-turbo-1106 gpt-3.5-turbo-0125 o1-pro
  o1-pro-2025-03-19 o3-pro o3-pro-2025-06-10 o3-deep-research o3-deep-research-2025-06-26 o4-mini-deep-research
  o4-mini-deep-research-2025-06-26 computer-use-preview computer-use-preview-2025-03-11 gpt-5.5-pro
  gpt-5.5-pro-2026-04-23 gpt-5-codex gpt-5-pro gpt-5-pro-2025-10-06 gpt-5.1-codex-max gpt-daybreak-blue-latest
  gpt-daybreak-red-latest gpt-5.6-cyber gpt-6-cyber gpt-rosalind-research gpt-6-rosalind text-embedding-ada-002
  text-embedding-3-small text-embedding-3-large gpt-image-1.5 gpt-image-2 gpt-image-2-2026-04-21
  gpt-image-2.5-sunburst gpt-image-2.5-sunburst-2026-09-08 gpt-image-2.5-flare gpt-image-2.5-flare-2026-09-08
  gpt-image-2.6-sunburst gpt-image-2.6-flare gpt-image-1 gpt-image-1-mini chatgpt-image-latest dall-e-2 dall-e-3
  tts-1 tts-1-hd gpt-4o-mini-tts gpt-4o-mini-tts-2025-12-15 whisper-1 gpt-transcribe gpt-4o-transcribe
  gpt-4o-mini-transcribe gpt-4o-mini-transcribe-2025-12-15 gpt-4o-transcribe-diarize omni-moderation-latest
  omni-moderation-2024-09-26 sora-2 sora-2-pro sora-2-2025-10-06 sora-2-pro-2025-10-06 sora-2-2025-12-08
`
  .trim()
  .split(/\s+/);
