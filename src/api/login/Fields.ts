import { Schema } from "effect"
import { PasswordText } from "../credentials/Fields.ts"
import { maybe } from "../Wire.ts"

/** A new password, and optionally its confirmation. */
export const newPassword = { password: maybe(PasswordText), password_confirmation: maybe(PasswordText) }

/** A token for a user (C14). */
export const TokenBody = Schema.Struct({ object: Schema.Literal("token"), token: Schema.String }).annotate({
  identifier: "Token"
})
