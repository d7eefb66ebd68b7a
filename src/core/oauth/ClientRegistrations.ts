import { Context, DateTime, Effect, Layer } from "effect"
import { Caller } from "#domain/Caller"
import { type RegistrationKind, type TooManyClients, UNUSED_HOURS } from "#domain/clients/ClientRegistration"
import { grantTypes, hasSecret, type OAuthClient } from "#domain/clients/OAuthClient"
import { standardScopes } from "#domain/clients/OAuthScope"
import { withRegistrationDefaults } from "#domain/clients/RegistrationDefaults"
import { identifyClient } from "#domain/EventActor"
import { isId } from "#domain/Ids"
import { allows } from "#domain/Level"
import type { RateLimited } from "#domain/Limit"
import {
  type ClientMetadata,
  describedClient,
  type MetadataLimits,
  MetadataRefused,
  openMetadata
} from "#domain/oauth/ClientMetadata"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import type { Client } from "#platform/ClientAddress"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { OAuthRegistrationsRepo } from "#store/oauth/OAuthRegistrationsRepo"
import { ApiKeys } from "../access/ApiKeys.ts"
import { OAuthClients } from "../apps/OAuthClients.ts"
import { RateLimits } from "../limits/RateLimits.ts"

/** A client with its registration. `accessToken` is the token with which it manages its registration. */
export interface RegisteredClient {
  readonly client: OAuthClient
  /** The secret, returned only this once; null if the client has no secret or no new one. */
  readonly clientSecret: string | null
  readonly accessToken: string
}

/** A request to register a client. `key` is the initial access token. `from` is the caller's address. */
export interface RegistrationRequest {
  readonly metadata: ClientMetadata
  readonly key: string | undefined
  readonly from: Client
}

/** A client that presents its registration access token. */
export interface RegistrationHolder {
  readonly id: string
  readonly token: string
}

type Failure = MetadataRefused | Rejected | OAuthRefused | RealmNotFound

/** The scopes and grant types that clients may register. With an initial access token, everything in the realm is allowed. */
const allowedMetadata = (realm: Realm, kind: RegistrationKind): MetadataLimits =>
  kind === "token" ? { scopes: [...standardScopes, ...realm.oauthScopes], grantTypes } : openMetadata

/**
 * The scopes and grant types that a client may have after it updates itself: those open to all clients, and those that it
 * already has (SEC-193).
 */
const ownMetadata = ({ allowedScopes, grantTypes: granted }: OAuthClient): MetadataLimits => ({
  scopes: [...standardScopes, ...allowedScopes],
  grantTypes: [...openMetadata.grantTypes, ...granted]
})

const described = (metadata: ClientMetadata, kind: RegistrationKind, limits: MetadataLimits) => {
  const found = describedClient(metadata, kind, limits)
  return found instanceof MetadataRefused ? Effect.fail(found) : Effect.succeed(found)
}

/** Registers OAuth clients dynamically (RFC 7591), and lets them manage their registrations (RFC 7592). */
export class ClientRegistrations extends Context.Service<
  ClientRegistrations,
  {
    /**
     * Registers a client. Without an initial access token, the number of registrations per address is limited, and clients
     * that don't get a token in time are deleted (SEC-189).
     */
    register(
      request: RegistrationRequest
    ): Effect.Effect<RegisteredClient, Failure | RateLimited | TooManyClients, CurrentRealm>
    read(holder: RegistrationHolder): Effect.Effect<RegisteredClient, OAuthRefused, CurrentRealm>
    /** Replaces all metadata and the registration access token. */
    update(holder: RegistrationHolder, metadata: ClientMetadata): Effect.Effect<RegisteredClient, Failure, CurrentRealm>
    /** Deletes the client with its grants and tokens. */
    delete(holder: RegistrationHolder): Effect.Effect<void, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/ClientRegistrations") {
  static readonly layer = Layer.effect(
    ClientRegistrations,
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const apps = yield* OAuthClients
      const entropy = yield* Entropy
      const rateLimits = yield* RateLimits
      const repo = yield* OAuthRegistrationsRepo
      const transaction = yield* Transaction

      const newToken = () => `ocr_${randomSecret(entropy)}`

      const insert = Effect.fnUntraced(function* (metadata: ClientMetadata, kind: RegistrationKind) {
        const realm = yield* CurrentRealm
        const { clientType, input } = yield* described(metadata, kind, allowedMetadata(realm, kind))
        const accessToken = newToken()
        const unusedUntil = DateTime.add(yield* DateTime.now, { hours: UNUSED_HOURS })
        const { app, clientSecret } = yield* Effect.catchTag(
          apps.register(clientType, input, {
            kind,
            tokenDigest: sha256Text(accessToken),
            documentUrl: null,
            documentExpiresAt: null,
            unusedUntil: kind === "token" ? null : unusedUntil
          }),
          "DocumentKnown",
          Effect.die
        )
        return { client: withRegistrationDefaults(app, realm), clientSecret, accessToken }
      })

      /** Returns the caller with this API key, who must be allowed to create clients in the realm. */
      const callerOf = Effect.fnUntraced(function* (key: string) {
        const realm = yield* CurrentRealm
        const caller = yield* Effect.catchTag(apiKeys.authenticate(key), "UnknownKey", () =>
          Effect.fail(oauthRefused("token_invalid"))
        )
        yield* rateLimits.take("writes", caller.by.id, realm.limits)
        const isOfRealm = caller.realmId === null || caller.realmId === realm.id
        return isOfRealm && allows(caller.level, "admin_realm") ? caller : yield* oauthRefused("token_invalid")
      })

      const register = Effect.fn("ClientRegistrations.register")(function* (request: RegistrationRequest) {
        const { metadata, key, from } = request
        const realm = yield* CurrentRealm
        if (realm.clientRegistration === "off") return yield* oauthRefused("registration_off")
        if (realm.state !== "active") return yield* oauthRefused("realm_inactive")
        if (key !== undefined) {
          const caller = yield* callerOf(key)
          return yield* Effect.provideService(insert(metadata, "token"), Caller, caller)
        }
        if (realm.clientRegistration === "token") return yield* oauthRefused("initial_token_missing")
        yield* rateLimits.take("registrations", `${realm.id} ${from.key}`, realm.limits)
        return yield* insert(metadata, "open")
      })

      const clientOf = Effect.fnUntraced(function* ({ id, token }: RegistrationHolder) {
        const { id: realmId } = yield* CurrentRealm
        const found = isId("app", id) ? yield* repo.findByToken(realmId, id, sha256Text(token)) : undefined
        if (found === undefined) return yield* oauthRefused("registration_token_invalid")
        yield* identifyClient(found.id)
        return found
      })

      const read = Effect.fn("ClientRegistrations.read")(function* (holder: RegistrationHolder) {
        const client = withRegistrationDefaults(yield* clientOf(holder), yield* CurrentRealm)
        return { client, clientSecret: null, accessToken: holder.token }
      })

      const update = Effect.fn("ClientRegistrations.update")(function* (
        holder: RegistrationHolder,
        metadata: ClientMetadata
      ) {
        const realm = yield* CurrentRealm
        const before = yield* clientOf(holder)
        if (realm.clientRegistration === "off") return yield* oauthRefused("registration_off")
        const { clientType, input } = yield* described(
          metadata,
          before.registration?.kind ?? "open",
          ownMetadata(before)
        )
        const refused = (description: string) => new MetadataRefused({ error: "invalid_client_metadata", description })
        if (metadata["client_id"] !== before.id) return yield* refused("client_id must be the ID of the client.")
        if (clientType !== before.clientType) {
          return yield* refused("The type of a client can't be changed. Register a new client.")
        }
        const accessToken = newToken()
        // A client can't decide whether users are asked for consent.
        const { consent: _, ...changes } = input
        const change = Effect.gen(function* () {
          // If two updates use the same token, only one of them succeeds.
          if (!(yield* repo.replaceToken(before, sha256Text(holder.token), sha256Text(accessToken)))) {
            return yield* oauthRefused("registration_token_invalid")
          }
          const app = yield* apps.update(before.id, changes)
          const needsSecret = hasSecret(app) && !hasSecret(before)
          const { clientSecret } = needsSecret ? yield* apps.rotateSecret(app.id) : { clientSecret: null }
          return { client: withRegistrationDefaults(app, realm), clientSecret, accessToken }
        })
        return yield* transaction
          .run(change)
          .pipe(Effect.catchTag("ConnectedAppNotFound", () => Effect.fail(oauthRefused("registration_token_invalid"))))
      })

      const remove = Effect.fn("ClientRegistrations.delete")(function* (holder: RegistrationHolder) {
        const { id } = yield* clientOf(holder)
        yield* Effect.catchTag(apps.delete(id), "ConnectedAppNotFound", () => Effect.void)
      })

      return ClientRegistrations.of({ register, read, update, delete: remove })
    })
  )
}
