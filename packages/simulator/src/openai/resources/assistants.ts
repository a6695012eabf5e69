/** OpenAI's assistants, threads, vector stores, uploads and stored chat completions: a table for `readTable`. */
export const assistants = `
/assistants create list get update delete needs=model id=asst_
  id created_at@ model object=assistant tools[]
  DELETE id deleted:true object=assistant.deleted
/chat/completions list get update delete
  id choices[] created:0 model object=chat.completion
  DELETE id deleted:true object=chat.completion.deleted
/chat/completions/{completion_id}/messages list
  role=assistant id
POST /chatkit/sessions
  id chatkit_configuration{automatic_thread_titling{enabled:false} file_upload{enabled:false} history{enabled:false}} client_secret~ek_ expires_at@ max_requests_per_1_minute:0 object=chatkit.session rate_limits{max_requests_per_1_minute:0} status=active user workflow{id tracing{enabled:false}}
POST /chatkit/sessions/{session_id}/cancel
  id chatkit_configuration{automatic_thread_titling{enabled:false} file_upload{enabled:false} history{enabled:false}} client_secret~ek_ expires_at@ max_requests_per_1_minute:0 object=chatkit.session rate_limits{max_requests_per_1_minute:0} status=active user workflow{id tracing{enabled:false}}
/chatkit/threads list get delete
  id created_at@ object=chatkit.thread status{type=active} user
  DELETE id deleted:true object=chatkit.thread.deleted
/chatkit/threads/{thread_id}/items list
  id attachments[] content[] created_at@ object=chatkit.thread_item thread_id type=chatkit.user_message
/threads create get update delete id=thread_
  id created_at@ object=thread
  DELETE id deleted:true object=thread.deleted
POST /threads/runs
  id assistant_id created_at@ instructions model object=thread.run parallel_tool_calls:false status=queued thread_id tools[]
/threads/{thread_id}/messages create list get update delete needs=content,role id=msg_
  id content[] created_at@ object=thread.message role=user status=in_progress thread_id
  DELETE id deleted:true object=thread.message.deleted
/threads/{thread_id}/runs create list get update needs=assistant_id id=run_
  id assistant_id created_at@ instructions model object=thread.run parallel_tool_calls:false status=queued thread_id tools[]
  POST cancel status=cancelled
  POST submit_tool_outputs
/threads/{thread_id}/runs/{run_id}/steps list get
  id assistant_id created_at@ object=thread.run.step run_id status=in_progress step_details{message_creation{message_id} type=message_creation} thread_id type=message_creation
/uploads create needs=bytes,filename,mime_type,purpose id=upload_
  id bytes:0 created_at@ expires_at@ filename object=upload purpose status=pending
  POST cancel status=cancelled
  POST complete status=completed
POST /uploads/{upload_id}/parts
  id created_at@ object=upload.part upload_id
/vector_stores create list get update delete id=vs_
  id created_at@ file_counts{cancelled:0 completed:0 failed:0 in_progress:0 total:0} name object=vector_store metadata{} status=completed usage_bytes:0
  DELETE id deleted:true object=vector_store.deleted
/vector_stores/{vector_store_id}/file_batches create get id=vsfb_
  id created_at@ file_counts{cancelled:0 completed:0 failed:0 in_progress:0 total:0} object=vector_store.files_batch status=in_progress vector_store_id
  POST cancel status=cancelled
/vector_stores/{vector_store_id}/file_batches/{batch_id}/files list
  id created_at@ object=vector_store.file status=in_progress usage_bytes:0 vector_store_id
/vector_stores/{vector_store_id}/files create list get update delete needs=file_id
  id created_at@ object=vector_store.file status=in_progress usage_bytes:0 vector_store_id
  DELETE id deleted:true object=vector_store.file.deleted
/vector_stores/{vector_store_id}/files/{file_id}/content list
  
POST /vector_stores/{vector_store_id}/search
  page
`;
