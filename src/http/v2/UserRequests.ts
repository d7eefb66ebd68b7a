import { Effect } from "effect"
import type { Schema } from "effect"
import type { newUserFields } from "#api/v2/UserFields"
import type { NewUser } from "#core/users/NewUsers"
import { type Rejected, rejected } from "#domain/Rejected"
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

/** The password a caller sent; refused when there is a confirmation and it differs. */
export const passwordOf = (
  sent: Pick<Sent, "password" | "password_confirmation">
): Effect.Effect<string | undefined, Rejected> => {
  const password = sent.password ?? undefined
  const confirmation = sent.password_confirmation ?? password
  if (confirmation !== password) return Effect.fail(rejected("password_confirmation", "unmatched"))
  return Effect.succeed(password)
}

const credentialOf = Effect.fnUntraced(function* (sent: NonNullable<Sent["credentials"]>[number]) {
  if (sent.credential_type !== "password") return yield* rejected("credentials", "unsupported_credential")
  const password = yield* passwordOf(sent)
  const hash = sent.password_hash ?? undefined
  if (hash === undefined) return { password: password ?? (yield* rejected("password", "blank")) }
  return password === undefined ? { passwordHash: hash } : yield* rejected("credentials", "one_password")
})

/** A new user as a caller sent it. `password` and `credentials` with a password together are refused (decision 22). */
export const newUserOf = Effect.fnUntraced(function* (sent: Sent): Effect.fn.Return<NewUser, Rejected> {
  const attributes = attributesOf(sent)
  const password = yield* passwordOf(sent)
  const credentials = sent.credentials ?? undefined
  if (credentials === undefined) return { attributes, passwords: password === undefined ? undefined : [{ password }] }
  const listed = yield* Effect.forEach(credentials, credentialOf)
  if (password === undefined) return { attributes, passwords: listed }
  if (listed.length > 0) return yield* rejected("password", "password_twice")
  return { attributes, passwords: [{ password }] }
})
