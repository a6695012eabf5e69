import { amount, flag, ignored, optional, text, texts, unenforced } from "./option.ts";

/** Where a token's claims stand: a name, or a path with dots. An issuer may have its own. */
export const claimOptions = {
  user_id_jwt_field: optional(
    text("", "Claim with the user's id; `sub` where no claim names a user or a team."),
  ),
  user_email_jwt_field: optional(text("", "Claim with the user's e-mail address.")),
  team_id_jwt_field: optional(text("", "Claim with the team's id; of a list the first counts.")),
  team_ids_jwt_field: optional(
    text(
      "",
      "Claim with the ids of several teams; the first that exists, or the one in `x-litellm-team-id`.",
    ),
  ),
  team_alias_jwt_field: optional(text("", "Claim with a team's alias in place of its id.")),
  org_id_jwt_field: optional(text("", "Claim with the organization's id.")),
  end_user_id_jwt_field: optional(text("", "Claim with the customer for whom calls are made.")),
} as const;

/** An entry of `litellm_jwtauth.issuers[]`; it may have claims of its own. */
export const issuerOptions = {
  issuer: text("", "What `iss` must be, character by character."),
  jwks_url: optional(text("", "Where its keys stand; otherwise its discovery document says.")),
  audience: optional(texts([], "One of these must be in `aud`.")),
  disable_audience_validation: flag(false, "Takes tokens that the issuer made for others too."),
  id_prefix: optional(
    text(
      "",
      "Begins the id of each user, team, organization and customer that its tokens name, so that it names nobody else's, and nobody who administers the gateway.",
    ),
  ),
  ...claimOptions,
} as const;

/** `general_settings.litellm_jwtauth`: whose tokens are accepted, and what their claims mean. */
export const tokenOptions = {
  ...claimOptions,
  admin_jwt_scope: text("litellm_proxy_admin", "The scope that makes a proxy administrator."),
  admin_allowed_routes: texts(
    ["management_routes", "spend_tracking_routes", "global_spend_tracking_routes", "info_routes"],
    "What that scope may ask for: paths, and groups of them.",
  ),
  team_allowed_routes: texts(
    ["llm_api_routes", "info_routes"],
    "What a token may ask for that names a team and no user.",
  ),
  team_id_default: optional(text("", "The team of tokens that name none.")),
  team_id_upsert: flag(false, "Makes a team that a token names and that is not there."),
  user_id_upsert: flag(false, "Makes a user whom a token names and who is not there; otherwise 403."),
  user_allowed_email_domain: optional(text("", "Addresses must end in this domain.")),
  user_roles_jwt_field: optional(text("", "Claim with the roles that `user_allowed_roles` looks at.")),
  user_allowed_roles: optional(texts([], "One of these must be among the token's roles.")),
  roles_jwt_field: optional(text("", "Claim with the roles that the two maps of roles look at.")),
  object_id_jwt_field: optional(
    text("", "Claim with the user's or the team's id, whichever `role_mappings` says it is."),
  ),
  sync_user_role_and_teams: flag(
    false,
    "Gives users the role of `jwt_litellm_role_map` and exactly the teams of their token.",
  ),
  enforce_team_based_model_access: flag(false, "Refuses tokens without a team."),
  enforce_scope_based_access: flag(false, "Refuses tokens with none of the scopes in `scope_mappings`."),
  public_key_ttl: amount(600, "Seconds for which an issuer's keys are kept.", 0.01),
  public_key_stale_ttl: amount(3600, "Further seconds for which they hold while the issuer does not answer."),
  clock_skew: amount(60, "Seconds by which clocks may differ."),
  enforce_rbac: ignored("tokens that name neither a user nor a team are always refused"),
  upsert_sso_user_to_team: ignored("users are always members of the team that their token names"),
  public_allowed_routes: ignored("public routes need no token"),
  custom_validate: unenforced("a preCall hook can look at the caller"),
  virtual_key_claim_field: unenforced("tokens stand for users and teams; give limits to these"),
  agent_id_jwt_field: unenforced("tokens stand for users and teams"),
  org_alias_jwt_field: unenforced("name organizations by their ids"),
  routing_overrides: unenforced("each issuer has its entry"),
  jwt_client_id_field: unenforced("tokens stand for users and teams; give limits to these"),
  unregistered_jwt_client_behavior: unenforced("`user_id_upsert` says who is let in"),
  auto_register_map_existing_key: ignored("tokens stand for users and teams"),
  virtual_key_mapping_cache_ttl: ignored("tokens stand for users and teams"),
  mcp_client_id_jwt_field: ignored("there is no MCP gateway"),
  id_jag_requesting_apps: ignored("there is no MCP gateway"),
  team_claim_fallback: unenforced("a token without a team has the `team_id_default`"),
  fallback_to_db_teams: unenforced("a token without a team has the `team_id_default`"),
  oidc_userinfo_enabled: ignored("claims stand in the token"),
  oidc_userinfo_endpoint: ignored("claims stand in the token"),
  oidc_userinfo_cache_ttl: ignored("claims stand in the token"),
} as const;

/** Lists of `litellm_jwtauth` that are read apart. */
export const TOKEN_LISTS = ["issuers", "role_mappings", "jwt_litellm_role_map", "scope_mappings"] as const;
