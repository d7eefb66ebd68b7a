import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { CredentialBody, CredentialsV1 } from "#api/credentials/Endpoints"
import { Credentials, type OwnedCredential } from "#core/credentials/Credentials"
import { provisioningSvg, provisioningUri } from "#core/tokens/Totp"
import { allows, Caller } from "#domain/Caller"
import { type CredentialDetails, isSocial } from "#domain/Credential"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { presence } from "#domain/Text"
import type { User } from "#domain/User"
import { invalid, words } from "../Errors.ts"
import { credentialAttributesOf, credentialRequestOf } from "../provisioning/NewCredentials.ts"
import { maybeTimeT } from "../WireMapping.ts"

const hiddenSetUp = { otp_secret: null, provisioning_uri: null, provisioning_svg: null }

/** What a new TOTP device is set up with; shown until it is verified. */
const setUp = ({ secret }: CredentialDetails, user: User, realm: Realm) => {
  if (secret === null) return hiddenSetUp
  const uri = provisioningUri(secret, realm.name, user.email ?? user.username ?? user.name)
  return { otp_secret: secret, provisioning_uri: uri, provisioning_svg: provisioningSvg(uri) }
}

/** The members of a credential's type. `open`: whether the caller may see secrets. */
const ofType = ({ credential, user, apiKey }: OwnedCredential, realm: Realm, open: boolean) => {
  const { credentialType, secret } = credential
  if (credentialType === "password") return {}
  if (credentialType === "api_key") {
    const key = apiKey ?? secret
    return key === null ? {} : { api_key: open ? key : null }
  }
  const provider = { auth_provider_id: credential.authProviderId }
  if (isSocial(credentialType)) {
    return {
      ...provider,
      provider_user_id: credential.providerUserId,
      access_token: open ? secret : null,
      token_expires_at: maybeTimeT(credential.tokenExpiresAt)
    }
  }
  const device = { ...provider, name: credential.name, state: credential.state }
  if (credential.state === "active") return device
  return { ...device, ...(open ? setUp(credential, user, realm) : hiddenSetUp) }
}

/** A credential as a caller may see it: its secrets from level `write` (decision 6). */
const body = Effect.fnUntraced(function* (owned: OwnedCredential) {
  const { credential } = owned
  const open = allows((yield* Caller).level, "write")
  const shown: typeof CredentialBody.Type = {
    id: credential.id,
    object: "credential",
    credential_type: credential.credentialType,
    user_id: credential.userId,
    ...ofType(owned, yield* CurrentRealm, open)
  }
  return shown
})

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof CredentialsV1>, Operation>>,
  "endpoint"
>

const operations = Effect.map(Credentials, (credentials) => {
  const { Blocked, CredentialNotFound, HashingBusy, RealmNotFound, Rejected } = words
  return {
    get: ({ params }: Asked<"get">) =>
      credentials.get(params.credential_id).pipe(Effect.flatMap(body), Effect.catchTags({ CredentialNotFound })),
    create: ({ payload: { credential: sent } }: Asked<"create">) =>
      credentialRequestOf(sent).pipe(
        Effect.flatMap((asked) => credentials.create({ ...asked, userId: sent.user_id })),
        Effect.flatMap(body),
        Effect.catchTags({ HashingBusy, RealmNotFound, Rejected })
      ),
    update: ({ params, payload }: Asked<"update">) =>
      credentialAttributesOf(payload.credential).pipe(
        Effect.flatMap((changes) => credentials.update(params.credential_id, changes)),
        Effect.flatMap(body),
        Effect.catchTags({ CredentialNotFound, HashingBusy, RealmNotFound, Rejected })
      ),
    verify: ({ params, payload }: Asked<"verify">) =>
      credentials.verify(params.credential_id, presence(payload.credential.code ?? null)).pipe(
        Effect.flatMap(body),
        Effect.catchTags({
          Blocked,
          CredentialNotFound,
          RealmNotFound,
          Rejected,
          WrongCode: () => invalid([problem("code", "verification_failed")])
        })
      ),
    delete: ({ params }: Asked<"delete">) =>
      credentials.delete(params.credential_id).pipe(Effect.catchTags({ CredentialNotFound, RealmNotFound }))
  }
})

/** `/v1/credentials`, `/v2/credentials`. */
export const CredentialsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.credentials", (handlers) => Effect.map(operations, (all) => handlers.handleAll(all))),
  HttpApiBuilder.group(Api, "v2.credentials", (handlers) => Effect.map(operations, (all) => handlers.handleAll(all)))
)
