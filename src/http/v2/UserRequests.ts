import { Effect } from "effect"
import type { Schema } from "effect"
import type { newUserFields } from "#api/v2/UserFields"
import type { NewUser } from "#core/users/NewUsers"
import type { NewPassword } from "#domain/Credential"
import { problem, Rejected, rejected } from "#domain/Rejected"
import type { UserInput } from "#domain/UserInput"
import { given } from "../Translate.ts"

type Sent = Schema.Struct<typeof newUserFields>["Type"]

/** The attributes a caller sent of a user. */
export const attributesOf = (sent: Sent): UserInput =>
  given({
    state: sent.state,
    email: sent.email,
    emailPending: sent.email_pending,
    emailVerification: sent.email_verification,
    username: sent.username,
    firstName: sent.first_name,
    lastName: sent.last_name,
    locale: sent.locale,
    reference: sent.reference,
    custom: sent.custom === null ? {} : sent.custom
  })

/** The password a caller sent; refused when its confirmation differs. */
export const passwordOf = (
  sent: Pick<Sent, "password" | "password_confirmation">
): Effect.Effect<NewPassword | undefined, Rejected> => {
  const { password, password_confirmation: confirmation } = sent
  if (password === undefined || password === null) return Effect.succeed(undefined)
  if (typeof confirmation === "string" && confirmation !== password) {
    return Effect.fail(rejected("password_confirmation", "unmatched"))
  }
  return Effect.succeed({ password })
}

const credentialOf = Effect.fnUntraced(function* (sent: NonNullable<Sent["credentials"]>[number]) {
  if (sent.credential_type !== "password") return yield* rejected("credentials", "unsupported_credential")
  if (typeof sent.password_hash === "string") return { passwordHash: sent.password_hash }
  return (yield* passwordOf(sent)) ?? (yield* rejected("password", "blank"))
})

/** A new user as a caller sent it. `password` and `credentials` with a password together are refused (decision 22). */
export const newUserOf = Effect.fnUntraced(function* (sent: Sent): Effect.fn.Return<NewUser, Rejected> {
  const attributes = attributesOf(sent)
  const password = yield* passwordOf(sent)
  const credentials = sent.credentials ?? undefined
  if (credentials === undefined) return { attributes, passwords: password === undefined ? undefined : [password] }
  if (password !== undefined && credentials.length > 0) {
    return yield* new Rejected({ problems: [problem("password", "password_twice")] })
  }
  const listed = yield* Effect.forEach(credentials, credentialOf)
  return { attributes, passwords: password === undefined ? listed : [password] }
})
