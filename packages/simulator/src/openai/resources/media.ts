/** OpenAI's realtime sessions, voices and videos' further operations: a table for `readTable`. */
export const media = `
/audio/voice_consents create list get update delete needs=language,name,recording
  id created_at@ language name object=audio.voice_consent
  DELETE id deleted:true object=audio.voice_consent
/audio/voices create delete needs=name
  id created_at@ name object=audio.voice type=audio_sample
  DELETE id deleted:true object=audio.voice.deleted
POST /live/sessions
  session{id} transport{sdp type=webrtc}
POST /live/sessions/{session_id}/accept
  empty
GET /live/sessions/{session_id}/content
  binary
POST /live/sessions/{session_id}/fork
  session{id} transport{sdp type=webrtc}
POST /live/sessions/{session_id}/hangup
  empty
POST /live/sessions/{session_id}/refer
  empty
POST /live/sessions/{session_id}/reject
  empty
POST /realtime/calls
  binary
POST /realtime/calls/{call_id}/accept
  empty
POST /realtime/calls/{call_id}/hangup
  empty
POST /realtime/calls/{call_id}/refer
  empty
POST /realtime/calls/{call_id}/reject
  empty
POST /realtime/client_secrets
  expires_at@ session{id object=realtime.session type=realtime} value
POST /realtime/sessions
  client_secret{expires_at@ value}
POST /realtime/transcription_sessions
  client_secret{expires_at@ value}
POST /realtime/translations/client_secrets
  expires_at@ session{id audio{} expires_at@ model type=translation} value
/videos/characters create get id=char_
  created_at@
POST /videos/edits
  id created_at@ model object=video progress:0 seconds size=720x1280 status=queued
POST /videos/extensions
  id created_at@ model object=video progress:0 seconds size=720x1280 status=queued
`;
