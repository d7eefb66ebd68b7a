import type { Realm } from "#client/generated/types/Realm"

/** The settings of a new realm. Settings without a common default, such as the name, are left out. */
export const settingDefaults: Partial<Realm> = {
  state: "active",
  environment: "live",
  signup: "open",
  signup_fields: ["username", "names", "org_name"],
  email_verification: "none",
  username_validation_human: "standard",
  require_unique_emails: true,
  org_mode: "multi_user",
  mfa: "optional",
  session_type: "managed",
  session_minutes: 360,
  session_tokens: "all",
  passkey_rp_id: null,
  record_unknown_names: false,
  jwt_algo: "rs256",
  jwt_claims: "v2",
  jwt_scopes: [],
  api_key_prefix: null,
  api_key_policy: "hash",
  jwt_max_bytes: 12_000,
  api_key_minutes: 0,
  default_locale: "en",
  available_locales: ["en"],
  oauth_scopes: [],
  client_registration: "off",
  registration_scopes: [],
  registration_resources: [],
  event_retention_days: null,
  account_deletion_days: null
}
