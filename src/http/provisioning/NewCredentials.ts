import type { Schema } from "effect"
import type { credentialChanges, credentialFields } from "#api/credentials/Fields"
import type { CredentialAttributes, CredentialRequest } from "#core/provisioning/CredentialRequest"
import { type Problem, problem } from "#domain/Rejected"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

type SentChanges = Schema.Struct<typeof credentialChanges>["Type"]
type Sent = Schema.Struct<typeof credentialFields>["Type"]

/** The password in a request. Adds a problem if the confirmation differs. */
export const passwordOf = (
  sent: Pick<SentChanges, "password" | "password_confirmation">,
  problems: Array<Problem>
): string | undefined => {
  const password = sent.password ?? undefined
  const confirmation = sent.password_confirmation ?? password
  if (confirmation !== password) problems.push(problem("password_confirmation", "unmatched"))
  return password
}

/** The attributes of a new or existing credential in a request. */
export const credentialAttributesOf = (sent: SentChanges, problems: Array<Problem>): CredentialAttributes =>
  omitUndefined({
    password: passwordOf(sent, problems),
    passwordHash: sent.password_hash ?? undefined,
    apiKey: sent.api_key,
    name: sent.name,
    providerUserId: sent.provider_user_id,
    accessToken: sent.access_token,
    tokenExpiresAt:
      typeof sent.token_expires_at === "number" ? utcFromTimeT(sent.token_expires_at) : sent.token_expires_at
  })

/** The new credential in a request. */
export const credentialRequestOf = (sent: Sent, problems: Array<Problem>): CredentialRequest => ({
  ...credentialAttributesOf(sent, problems),
  ...omitUndefined({ authProviderId: sent.auth_provider_id }),
  credentialType: sent.credential_type
})
