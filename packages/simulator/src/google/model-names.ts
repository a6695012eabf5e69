/** Names of models as AI SDK's package for Google (`GoogleGenerativeAIModelId`), with those of embeddings and videos, has them. */
export const modelNames: readonly string[] = `
  gemini-2.0-flash gemini-2.0-flash-001 gemini-2.0-flash-lite gemini-2.0-flash-lite-001 gemini-2.5-pro
  gemini-2.5-flash gemini-2.5-flash-image gemini-2.5-flash-lite gemini-2.5-flash-preview-tts
  gemini-2.5-pro-preview-tts gemini-2.5-flash-native-audio-latest gemini-2.5-flash-native-audio-preview-09-2025
  gemini-2.5-flash-native-audio-preview-12-2025 gemini-2.5-computer-use-preview-10-2025 gemini-3-pro-preview
  gemini-3-pro-image-preview gemini-3-flash-preview gemini-3.1-pro-preview gemini-3.1-pro-preview-customtools
  gemini-3.1-flash-image-preview gemini-3.1-flash-lite-preview gemini-3.1-flash-tts-preview gemini-3.5-flash
  gemini-3.5-flash-lite gemini-3.6-flash gemini-3.7-flash gemini-3.8-flash gemini-4-argon gemini-nano-banana-2.1
  gemini-pro-latest gemini-flash-latest gemini-flash-lite-latest deep-research-pro-preview-12-2025
  nano-banana-pro-preview aqa gemini-robotics-er-1.5-preview gemma-3-1b-it gemma-3-4b-it gemma-3n-e4b-it
  gemma-3n-e2b-it gemma-3-12b-it gemma-3-27b-it gemini-embedding-001 veo-3.1-generate-preview
  veo-3.1-fast-generate-preview veo-3.0-generate-001 veo-3.0-fast-generate-001
`
  .trim()
  .split(/\s+/);
