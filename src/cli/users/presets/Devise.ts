import { customOf } from "../Custom.ts"
import type { RowCredential } from "../Row.ts"
import { objectOf, textOf, timeOf } from "../Values.ts"
import {
  authenticators,
  column,
  lockedSince,
  notImported,
  type Preset,
  partOf,
  passwordHash,
  profile,
  skips,
  text,
  time,
  verifiedAt
} from "./Preset.ts"

/** The supported identity providers, by their OmniAuth strategy. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  google: "google",
  google_oauth2: "google",
  apple: "apple",
  azure_oauth2: "microsoft",
  azure_activedirectory_v2: "microsoft",
  entra_id: "microsoft",
  microsoft_graph: "microsoft",
  facebook: "facebook",
  github: "github",
  linkedin: "linkedin",
  linkedin_openid: "linkedin",
  slack: "slack",
  slack_openid: "slack",
  yahoo: "yahoo"
}

const deleted = skips("deleted users")

/** The users table of a Devise app: `COPY users TO … CSV HEADER`, or its records as JSON. */
export const devise: Preset = {
  system: "Devise",
  marks: [["encrypted_password", "reset_password_token"]],
  columns: {
    id: text("reference"),
    email: text("email"),
    username: text("username"),
    first_name: text("first_name"),
    last_name: text("last_name"),
    locale: text("locale"),
    encrypted_password: passwordHash,
    confirmed_at: verifiedAt,
    created_at: time("created_at"),
    last_sign_in_at: time("last_login_at"),
    current_sign_in_at: time("last_login_at"),
    locked_at: lockedSince("locked_at"),
    uid: column("the profile at a provider", (value, around) => {
      const provider = textOf(around.record["provider"]) ?? "unknown"
      return profile(providers[provider], { provider, id: textOf(value) }, around)
    }),
    provider: partOf("uid"),
    metadata: column("`custom`, with nested objects flattened", (value) => ({ custom: customOf(objectOf(value)) })),
    otp_required_for_login: authenticators,
    deleted_at: deleted,
    discarded_at: deleted,
    otp_secret: notImported,
    encrypted_otp_secret: notImported,
    encrypted_otp_secret_iv: notImported,
    encrypted_otp_secret_salt: notImported,
    consumed_timestep: notImported,
    otp_backup_codes: notImported,
    reset_password_token: notImported,
    reset_password_sent_at: notImported,
    remember_created_at: notImported,
    remember_token: notImported,
    sign_in_count: notImported,
    current_sign_in_ip: notImported,
    last_sign_in_ip: notImported,
    confirmation_token: notImported,
    confirmation_sent_at: notImported,
    unconfirmed_email: notImported,
    failed_attempts: notImported,
    unlock_token: notImported,
    updated_at: notImported,
    invitation_token: notImported,
    invitation_created_at: notImported,
    invitation_sent_at: notImported,
    invitation_accepted_at: notImported,
    invitation_limit: notImported,
    invited_by_id: notImported,
    invited_by_type: notImported,
    invitations_count: notImported
  },
  skipReasonOf: ({ deleted_at: deletedAt, discarded_at: discardedAt }) =>
    timeOf(deletedAt) === undefined && timeOf(discardedAt) === undefined ? undefined : "deleted",
  lists: ["users"],
  passwords: "Hashes made with a pepper (config.pepper) can't be verified."
}
