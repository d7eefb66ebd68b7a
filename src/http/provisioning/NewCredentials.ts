import { Effect, type Schema } from "effect"
import type { credentialChanges, credentialFields } from "#api/credentials/Fields"
import type { CredentialAttributes, CredentialRequest } from "#core/provisioning/CredentialRequest"
import { type Rejected, rejected } from "#domain/Rejected"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

type SentChanges = Schema.Struct<typeof credentialChanges>["Type"]
type Sent = Schema.Struct<typeof credentialFields>["Type"]

/** The password that a caller sent. Refused where there is a confirmation that differs. */
export const passwordOf = (
  sent: Pick<SentChanges, "password" | "password_confirmation">
): Effect.Effect<string | undefined, Rejected> => {
  const password = sent.password ?? undefined
  const confirmation = sent.password_confirmation ?? password
  if (confirmation !== password) return Effect.fail(rejected("password_confirmation", "unmatched"))
  return Effect.succeed(password)
}

/** The attributes that a caller sent of a new or an existing credential. */
export const credentialAttributesOf = (sent: SentChanges): Effect.Effect<CredentialAttributes, Rejected> =>
  Effect.map(passwordOf(sent), (password) =>
    omitUndefined({
      password,
      passwordHash: sent.password_hash ?? undefined,
      apiKey: sent.api_key,
      name: sent.name,
      providerUserId: sent.provider_user_id,
      accessToken: sent.access_token,
      tokenExpiresAt:
        typeof sent.token_expires_at === "number" ? utcFromTimeT(sent.token_expires_at) : sent.token_expires_at
    })
  )

/** The new credential that a caller sent. */
export const credentialRequestOf = (sent: Sent): Effect.Effect<CredentialRequest, Rejected> =>
  Effect.map(credentialAttributesOf(sent), (attributes) => ({
    ...attributes,
    ...omitUndefined({ authProviderId: sent.auth_provider_id }),
    credentialType: sent.credential_type
  }))
