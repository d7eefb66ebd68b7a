import { Schema } from "effect"
import { maybe, Text } from "../Wire.ts"

/** Long enough that an over-long password gets its own sentence. */
export const TypedPassword = Text(262_144)

/** A one-time token or a code as it is presented: one that has not its form is just not the right one. */
export const Presented = maybe(Text(1_024))

/** A new password, and perhaps the same again. */
export const newPassword = { password: maybe(TypedPassword), password_confirmation: maybe(TypedPassword) }

/** A token to be handed to its user (decision 14). */
export const TokenBody = Schema.Struct({ object: Schema.Literal("token"), token: Schema.String }).annotate({
  identifier: "Token"
})
