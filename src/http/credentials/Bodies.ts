import { Effect } from "effect"
import type { CredentialBody } from "#api/credentials/Endpoints"
import type { OwnedCredential } from "#core/credentials/Credentials"
import { provisioningSvg, provisioningUri } from "#core/tokens/Totp"
import { Caller } from "#domain/Caller"
import { type CredentialDetails, isSocial } from "#domain/Credential"
import { allows } from "#domain/Level"
import type { Passkey } from "#domain/Passkey"
import { CurrentRealm, type Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import { timeTOrNull } from "../WireMapping.ts"

const hiddenSetUp = { otp_secret: null, provisioning_uri: null, provisioning_svg: null }

/** The secret for setting up a new TOTP device, shown until the device is verified. */
const setUp = ({ secret }: CredentialDetails, user: User, realm: Realm) => {
  if (secret === null) return hiddenSetUp
  const uri = provisioningUri(secret, realm.name, user.email ?? user.username ?? user.name)
  return { otp_secret: secret, provisioning_uri: uri, provisioning_svg: provisioningSvg(uri) }
}

const passkeyMembers = (passkey: Passkey | null) =>
  passkey === null
    ? {}
    : {
        aaguid: passkey.aaguid,
        transports: passkey.transports,
        backed_up: passkey.backedUp,
        last_used_at: timeTOrNull(passkey.lastUsedAt)
      }

/** The members that depend on the credential's type. `showsSecrets`: whether the caller may see secrets. */
const ofType = (
  { credential, user, apiKey, passkey, recoveryCodes }: OwnedCredential,
  realm: Realm,
  showsSecrets: boolean
) => {
  const { credentialType, secret } = credential
  if (credentialType === "password") return {}
  if (credentialType === "api_key") {
    const key = apiKey ?? secret
    return key === null ? {} : { api_key: showsSecrets ? key : null }
  }
  if (credentialType === "recovery_codes") {
    return { ...(recoveryCodes === undefined ? {} : { codes: recoveryCodes }), codes_left: credential.codesLeft ?? 0 }
  }
  const provider = { auth_provider_id: credential.authProviderId }
  if (isSocial(credentialType)) {
    return {
      ...provider,
      provider_user_id: credential.providerUserId,
      access_token: showsSecrets ? secret : null,
      token_expires_at: timeTOrNull(credential.tokenExpiresAt)
    }
  }
  if (credentialType === "passkey") return { name: credential.name, ...passkeyMembers(passkey) }
  credentialType satisfies "totp"
  const device = { ...provider, name: credential.name, state: credential.state }
  if (credential.state === "active") return device
  return { ...device, ...(showsSecrets ? setUp(credential, user, realm) : hiddenSetUp) }
}

/** A credential as the caller may see it. Secrets require level `write` (C6). */
export const credentialBody = Effect.fnUntraced(function* (owned: OwnedCredential) {
  const { credential } = owned
  const showsSecrets = allows((yield* Caller).level, "write")
  const shown: typeof CredentialBody.Type = {
    id: credential.id,
    object: "credential",
    credential_type: credential.credentialType,
    user_id: credential.userId,
    ...ofType(owned, yield* CurrentRealm, showsSecrets)
  }
  return shown
})
