import { Context, Effect, Layer } from "effect"
import { hasSecret, type OAuthClient } from "#domain/clients/OAuthClient"
import type { RateLimited } from "#domain/Limit"
import { JWT_BEARER } from "#domain/oauth/ClientAssertion"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { CurrentRealm } from "#domain/Realm"
import type { Client } from "#platform/ClientAddress"
import { constantTimeEqual, sha256Text } from "#platform/Tokens"
import type { ClientWithSecrets } from "#store/oauth/OAuthClientsRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { ActiveClients } from "./ActiveClients.ts"
import { assertedClient, assertionVerifier } from "./ClientAssertions.ts"
import { basicCredentials, type SentCredentials } from "./ClientCredentials.ts"

/** The parts of a request that authenticate the client. */
export interface ClientRequest {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly params: { readonly get: (name: string) => string | undefined }
  /** The IP address that sent the request. */
  readonly client: Client
}

/** The credentials sent by a client. `isRight` is true if `secret` is one of the client's secrets. */
interface Proof {
  readonly secret: string | undefined
  readonly assertion: string | undefined
  readonly isRight: boolean
}

/** The digest to compare with if the client has no secret. */
const noDigest = sha256Text("")

/** Returns whether one of the digests is that of the secret. Takes constant time. */
const matches = (secret: string, digests: ReadonlyArray<string>): boolean => {
  const digest = Buffer.from(sha256Text(secret))
  const isMatch = (one: string) => constantTimeEqual(Buffer.from(one), digest)
  // If there are no digests, one comparison is made anyway, so that the time is the same.
  return digests.length === 0 ? isMatch(noDigest) && false : digests.map(isMatch).includes(true)
}

/** Reads the credentials in a request with an assertion. The assertion names the client, so `client_id` is optional. */
const assertedCredentials = Effect.fnUntraced(function* ({ authorization, params }: ClientRequest, assertion: string) {
  const isMixed = params.get("client_secret") !== undefined || /^basic\b/i.test(authorization ?? "")
  if (isMixed) return yield* oauthRefused("client_methods_mixed")
  const clientId = assertedClient(assertion)
  const named = params.get("client_id") ?? clientId
  const isKnownType = params.get("client_assertion_type") === JWT_BEARER
  if (!isKnownType || clientId === undefined || named !== clientId) return yield* oauthRefused("client_unknown")
  const credentials: SentCredentials = { clientId, secret: undefined, assertion }
  return credentials
})

/** Reads the client credentials in a request. */
const credentialsOf = Effect.fnUntraced(function* (request: ClientRequest) {
  const { authorization, params } = request
  const clientId = params.get("client_id")
  const secret = params.get("client_secret")
  const assertion = params.get("client_assertion")
  if (assertion !== undefined) return yield* assertedCredentials(request, assertion)
  if (authorization === undefined || !/^basic\b/i.test(authorization)) {
    return clientId === undefined ? yield* oauthRefused("client_missing") : { clientId, secret }
  }
  const basic = basicCredentials(authorization)
  if (secret !== undefined) return yield* oauthRefused("client_methods_mixed")
  if (basic === undefined || (clientId ?? basic.clientId) !== basic.clientId)
    return yield* oauthRefused("client_unknown")
  return basic
})

/**
 * Authenticates the clients that call a realm's endpoints (RFC 6749 §2.3): by a secret in the header or the form (C162), by a
 * signed assertion (RFC 7523, C167) or, if they can't keep a secret, only by their ID.
 */
export class ClientAuthentication extends Context.Service<
  ClientAuthentication,
  {
    /**
     * Returns the active client that sent a request. Counts the request toward the rate limit of the client at this address,
     * and wrong secrets toward another limit (SEC-148).
     */
    authenticate(request: ClientRequest): Effect.Effect<OAuthClient, OAuthRefused | RateLimited, CurrentRealm>
  }
>()("sallyport/core/ClientAuthentication") {
  static readonly layer = Layer.effect(
    ClientAuthentication,
    Effect.gen(function* () {
      const clients = yield* ActiveClients
      const proves = yield* assertionVerifier
      const rateLimits = yield* RateLimits

      /** Returns whether the client has sent exactly the credentials that its authentication method requires. */
      const isAuthentic = (client: OAuthClient, { secret, assertion, isRight }: Proof) => {
        if (client.tokenEndpointAuthMethod === "private_key_jwt") {
          return assertion === undefined ? Effect.succeed(false) : proves(client, assertion)
        }
        if (assertion !== undefined) return Effect.succeed(false)
        return Effect.succeed(hasSecret(client) ? secret !== undefined && isRight : secret === undefined)
      }

      const check = Effect.fnUntraced(function* (
        found: ClientWithSecrets | undefined,
        { secret, assertion }: Pick<SentCredentials, "secret" | "assertion">
      ) {
        const isRight = matches(secret ?? "", found?.digests ?? [])
        if (found === undefined) return yield* oauthRefused("client_unknown")
        const { client } = found
        return (yield* isAuthentic(client, { secret, assertion, isRight }))
          ? client
          : yield* oauthRefused("client_unknown")
      })

      const authenticate = Effect.fn("ClientAuthentication.authenticate")(function* (request: ClientRequest) {
        const realm = yield* CurrentRealm
        const credentials = yield* credentialsOf(request)
        const found = yield* Effect.catch(clients.findWithSecrets(credentials.clientId), () =>
          Effect.succeed(undefined)
        )
        // Unknown clients share one limit. Otherwise each made-up ID would have its own limit (SEC-187).
        const subject = `${realm.id} ${found?.client.id ?? "none"} ${request.client.key}`
        yield* rateLimits.take("oauth", subject, realm.limits)
        const refund = yield* rateLimits.reserve("client_secrets", subject, realm.limits)
        const client = yield* check(found, credentials)
        yield* refund
        return client
      })

      return ClientAuthentication.of({ authenticate })
    })
  )
}
