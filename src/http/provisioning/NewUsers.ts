import { Effect, type Schema } from "effect"
import type { newUserFieldsV1, newUserFieldsV2 } from "#api/provisioning/Fields"
import type { NewUser } from "#core/provisioning/NewUsers"
import type { Rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import type { UserInput } from "#domain/UserInput"
import { omitUndefined } from "../WireMapping.ts"
import { credentialRequestOf, passwordOf } from "./NewCredentials.ts"

/** What a caller can say of a user in either version; what a version does not know is never there. */
type Sent = Schema.Struct<typeof newUserFieldsV1 & typeof newUserFieldsV2>["Type"]

/** The attributes a caller sent of a user. */
export const attributesOf = (sent: Sent): UserInput =>
  omitUndefined({
    state: sent.state,
    email: sent.email,
    emailPending: sent.email_pending,
    emailVerification: sent.email_verification,
    username: sent.username,
    name: sent.name,
    firstName: sent.first_name,
    lastName: sent.last_name,
    locale: sent.locale,
    reference: sent.reference,
    custom: sent.custom === null ? {} : sent.custom
  })

/** The API key a caller sent of a user: a blank one is none. */
export const apiKeyOf = (sent: Pick<Sent, "api_key">): string | undefined => presence(sent.api_key ?? null) ?? undefined

/** A new user as a caller sent it. */
export const newUserOf = Effect.fnUntraced(function* (
  sent: Sent,
  kind: Pick<NewUser, "userType" | "usernameRequired">
): Effect.fn.Return<NewUser, Rejected> {
  const credentials = sent.credentials ?? undefined
  return {
    ...kind,
    attributes: attributesOf(sent),
    password: yield* passwordOf(sent),
    apiKey: apiKeyOf(sent),
    credentials: credentials === undefined ? undefined : yield* Effect.forEach(credentials, credentialRequestOf)
  }
})
