import type { Schema } from "effect"
import type { newUserFieldsV1, newUserFieldsV2 } from "#api/provisioning/Fields"
import type { NewUser } from "#core/provisioning/NewUsers"
import type { Problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { UserInput } from "#domain/UserInput"
import { omitUndefined } from "../WireMapping.ts"
import { credentialRequestOf, passwordOf } from "./NewCredentials.ts"

/** The members of a user in a request of either version. Decoding has removed members that the version does not know. */
type Sent = Schema.Struct<typeof newUserFieldsV1 & typeof newUserFieldsV2>["Type"]

/** The user attributes in a request. */
export const userAttributesOf = (sent: Sent): UserInput =>
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

/** The API key in a user's request. A blank key counts as missing. */
export const apiKeyOf = (sent: Pick<Sent, "api_key">): string | undefined => nonBlank(sent.api_key ?? null) ?? undefined

/** The new user in a request, of the kind that the version creates. */
export const newUserOf = (
  sent: Sent,
  kind: Pick<NewUser, "userType" | "usernameRequired">,
  problems: Array<Problem>
): NewUser => ({
  ...kind,
  attributes: userAttributesOf(sent),
  password: passwordOf(sent, problems),
  apiKey: apiKeyOf(sent),
  credentials: sent.credentials?.map((credential) => credentialRequestOf(credential, problems))
})
