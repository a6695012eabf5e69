/** OpenAI's fine-tuning, evaluations and graders: a table for `readTable`. */
export const tuning = `
/evals create list get update delete needs=data_source_config,testing_criteria id=eval_
  id created_at@ data_source_config{schema{} type=custom} name object=eval testing_criteria[]
  DELETE deleted:true eval_id object=eval.deleted
/evals/{eval_id}/runs create list get delete needs=data_source id=evalrun_
  id created_at@ data_source{source{content[] type=file_content} type=jsonl} error{code message} eval_id model name object=eval.run per_model_usage[] per_testing_criteria_results[] report_url result_counts{errored:0 failed:0 passed:0 total:0} status
  DELETE deleted:true object=eval.run.deleted run_id
  POST cancel status=canceled
/evals/{eval_id}/runs/{run_id}/output_items list get
  id created_at@ datasource_item{} datasource_item_id:0 eval_id object=eval.run.output_item results[] run_id sample{error{code message} finish_reason input[] max_completion_tokens:0 model output[] seed:0 temperature:0 top_p:0 usage{cached_tokens:0 completion_tokens:0 prompt_tokens:0 total_tokens:0}} status
POST /fine_tuning/alpha/graders/run
  metadata{errors{formula_parse_error:false invalid_variable_error:false model_grader_parse_error:false model_grader_refusal_error:false model_grader_server_error:false other_error:false python_grader_runtime_error:false python_grader_server_error:false sample_parse_error:false truncated_observation_error:false unresponsive_reward_error:false} execution_time:0 name scores{} type} model_grader_token_usage_per_model{} reward:0 sub_rewards{}
POST /fine_tuning/alpha/graders/validate
  
/fine_tuning/checkpoints/{fine_tuned_model_checkpoint}/permissions create list delete needs=project_ids
  id created_at@ object=checkpoint.permission project_id
  DELETE id deleted:true object=checkpoint.permission
/fine_tuning/jobs create list get needs=model,training_file id=ftjob-
  id created_at@ hyperparameters{} model object=fine_tuning.job organization_id result_files[] seed:0 status=validating_files training_file
  POST cancel status=cancelled
  POST pause
  POST resume status=running
/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints list
  id created_at@ fine_tuned_model_checkpoint fine_tuning_job_id metrics{} object=fine_tuning.job.checkpoint step_number:0
/fine_tuning/jobs/{fine_tuning_job_id}/events list
  id created_at@ level=info message object=fine_tuning.job.event
/models delete
  id created:0 object=model owned_by
  DELETE id deleted:true object=model
`;
