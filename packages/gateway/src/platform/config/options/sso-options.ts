import { amount, flag, optional, text } from "./option.ts";
import { claimOptions, tokenOptions } from "./token-options.ts";

/** `general_settings.sso`: where people sign in who use the console or the command line. */
export const ssoOptions = {
  issuer: optional(text("", "The issuer; its discovery document says the rest.")),
  client_id: optional(text("", "The gateway's name at the issuer.")),
  client_secret: optional(text("", "Its secret there; public clients have none.")),
  scope: text("openid email profile", "What is asked for, with spaces in between."),
  authorization_endpoint: optional(text("", "Of a provider without OpenID Connect, with the next two.")),
  token_endpoint: optional(text("", "Where such a provider gives tokens.")),
  userinfo_endpoint: optional(text("", "Where it tells who signed in.")),
  session_hours: amount(12, "Hours until one must sign in anew.", 0.01),
  ...claimOptions,
  user_id_upsert: flag(true, "Makes users who sign in for the first time; otherwise they are refused."),
  team_id_upsert: tokenOptions.team_id_upsert,
  user_allowed_email_domain: tokenOptions.user_allowed_email_domain,
  user_roles_jwt_field: tokenOptions.user_roles_jwt_field,
  user_allowed_roles: tokenOptions.user_allowed_roles,
  roles_jwt_field: tokenOptions.roles_jwt_field,
  sync_user_role_and_teams: optional(
    flag(false, "Gives users exactly the teams of their claims; on where a claim names teams."),
  ),
} as const;
