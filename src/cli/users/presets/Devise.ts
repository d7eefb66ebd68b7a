import { customOf } from "../Custom.ts"
import { objectOf, timeOf } from "../Values.ts"
import { type Preset, passwordHash, text, time, verifiedAt } from "./Preset.ts"

/** The users table of an app with Devise: `COPY users TO … CSV HEADER`, or its records as JSON. */
export const devise: Preset = {
  system: "Devise",
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
    metadata: (value) => ({ custom: customOf(objectOf(value)) })
  },
  passes: ({ deleted_at: deleted, discarded_at: discarded }) =>
    timeOf(deleted) === undefined && timeOf(discarded) === undefined ? undefined : "deleted",
  unused: [
    "deleted_at",
    "discarded_at",
    "reset_password_token",
    "reset_password_sent_at",
    "remember_created_at",
    "remember_token",
    "sign_in_count",
    "current_sign_in_ip",
    "last_sign_in_ip",
    "confirmation_token",
    "confirmation_sent_at",
    "unconfirmed_email",
    "failed_attempts",
    "unlock_token",
    "locked_at",
    "updated_at"
  ],
  lists: ["users"],
  passwords: "Hashes that were made with a pepper (config.pepper) fit no password here."
}
