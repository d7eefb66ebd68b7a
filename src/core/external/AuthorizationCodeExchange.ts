import { Clock, Context, Data, DateTime, Effect, FiberSet, Layer } from "effect"
import { decodeJwt } from "jose"
import * as oauth from "oauth4webapi"
import { ProviderFailed, type ProviderToken } from "#domain/ExternalLogin"
import { Outbound, OutboundFailed, type OutboundResponse, ResponseTooLarge } from "#platform/Outbound"
import { AuthorizationServers, UNKNOWN_ISSUER } from "./AuthorizationServers.ts"
import type { AuthorizationRequest } from "./AuthorizationUrl.ts"
import { isConsistent } from "./providers/IdTokenChecks.ts"
import type { IdTokens, Preset, ProviderClient } from "./providers/Preset.ts"
import { memberAt } from "./providers/ProviderClaims.ts"
import { normalizeTokenResponse } from "./TokenResponses.ts"

/** An authorization code returned by a provider, and the authorization request that led to it. */
export interface ReturnedCode extends AuthorizationRequest {
  readonly code: string
  /** The `iss` parameter of the authorization response (RFC 9207), or null if the caller did not pass it on. */
  readonly issuer: string | null
}

/**
 * The tokens issued for a code. `subject` is the `sub` of a validated ID token, if it equals the ID in the profile. `claims` are
 * those of the ID token, if it contains the profile.
 */
export interface ExchangedTokens {
  readonly token: ProviderToken
  readonly subject: string | undefined
  readonly claims: unknown
}

/** An error thrown by `oauth4webapi`, or by its fetch function. */
class LibraryError extends Data.TaggedError("LibraryError")<{ readonly error: unknown }> {}

/** The maximum length of a stored access token. The API has the same limit. */
export const MAX_TOKEN_LENGTH = 8_192

/** The maximum accepted lifetime of an access token. */
const MAX_TOKEN_SECONDS = 366 * 24 * 3_600

const responseOf = ({ status, contentType, body }: OutboundResponse): Response => {
  const bodiless = [204, 205, 304].includes(status)
  const headers = contentType === undefined ? {} : { "content-type": contentType }
  return new Response(bodiless ? null : body, { status, headers })
}

/** Returns whether the token endpoint rejected our client authentication. */
const isUnknownClient = (error: unknown): boolean =>
  error instanceof oauth.WWWAuthenticateChallengeError ||
  (error instanceof oauth.ResponseBodyError && (error.error === "invalid_client" || error.status === 401))

/** Returns whether the provider rejected a code in a nonstandard way: with only a status, or in a 200 response. */
const isNonstandardRefusal = (error: unknown): boolean => {
  if (!(error instanceof oauth.OperationProcessingError)) return false
  const { cause } = error
  return cause instanceof Response
    ? cause.status >= 400 && cause.status < 500
    : typeof memberAt(cause, "body.error") === "string"
}

const failureOf = ({ error }: LibraryError): ProviderFailed => {
  if (error instanceof OutboundFailed) return new ProviderFailed({ why: "provider_unreachable" })
  if (error instanceof ResponseTooLarge) return new ProviderFailed({ why: "provider_answer" })
  const isRefused =
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.WWWAuthenticateChallengeError ||
    isNonstandardRefusal(error)
  return new ProviderFailed({ why: isRefused ? "code_refused" : "provider_answer" })
}

const callLibrary = <A>(call: () => Promise<A>): Effect.Effect<A, LibraryError> =>
  Effect.tryPromise({ try: call, catch: (error) => new LibraryError({ error }) })

/** Returns the ID token in a token endpoint's response, if any. */
const idTokenIn = (response: Response): Effect.Effect<unknown> =>
  callLibrary(() => response.clone().json()).pipe(
    Effect.map((body) => memberAt(body, "id_token")),
    Effect.catch(() => Effect.succeed(undefined))
  )

/** Returns a copy of the response without its ID token. */
const withoutIdToken = (response: Response) =>
  Effect.map(
    callLibrary(() => response.json()),
    (body: unknown) => {
      const { status, headers } = response
      return new Response(JSON.stringify({ ...Object(body), id_token: undefined }), { status, headers })
    }
  )

/** Returns the issuer that an ID token must name. */
const expectedIssuer = ({ issuer }: IdTokens, idToken: string): string => {
  const found =
    typeof issuer === "string" ? issuer : issuer === undefined ? decodeJwt(idToken).iss : issuer(decodeJwt(idToken))
  return found ?? UNKNOWN_ISSUER
}

/** Exchanges authorization codes for access tokens, with the checks of OAuth 2.0 and OpenID Connect (SEC-61 to SEC-63). */
export class AuthorizationCodeExchange extends Context.Service<
  AuthorizationCodeExchange,
  {
    exchange(
      preset: Preset,
      client: ProviderClient,
      returned: ReturnedCode
    ): Effect.Effect<ExchangedTokens, ProviderFailed>
  }
>()("sallyport/core/AuthorizationCodeExchange") {
  static readonly layer = Layer.effect(
    AuthorizationCodeExchange,
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const servers = new AuthorizationServers()
      /** The published keys that signatures were verified with, for each server. */
      const keySets = new WeakMap<oauth.AuthorizationServer, oauth.JWKSCacheInput>()

      /**
       * Sends the library's requests through `Outbound`, which rejects insecure URLs. The library's own check for them is
       * turned off.
       */
      const fetchOptions = Effect.map(FiberSet.makeRuntimePromise(), (run) => ({
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (
          url: string,
          init: oauth.CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>
        ) =>
          run(
            Effect.map(
              outbound.request({
                method: init.method,
                url,
                headers: { "accept-encoding": "identity", ...init.headers },
                body: init.body?.toString()
              }),
              responseOf
            )
          )
      }))

      const exchangeCode = Effect.fnUntraced(function* (
        preset: Preset,
        { provider, secret }: ProviderClient,
        returned: ReturnedCode
      ) {
        const server = servers.of(preset)
        const now = yield* DateTime.now
        // The library reads the system clock, which may differ from the `Clock` service.
        const skew = now.epochMilliseconds - Clock.Clock.defaultValue().currentTimeMillisUnsafe()
        const client = { client_id: provider.clientId, [oauth.clockSkew]: Math.trunc(skew / 1_000) }
        const options = yield* fetchOptions
        const { code, state, issuer, verifier, nonce, redirectUri } = returned
        const iss = issuer === null || typeof preset.idTokens?.issuer !== "string" ? {} : { iss: issuer }
        const parameters = new URLSearchParams({ code, state, ...iss })

        const requestTokens = (authentication: oauth.ClientAuth) =>
          callLibrary(async () => {
            const validated = oauth.validateAuthResponse(server, client, parameters, state)
            const codeVerifier = preset.supportsPkce ? verifier : oauth.nopkce
            const response = await oauth.authorizationCodeGrantRequest(
              server,
              client,
              authentication,
              validated,
              redirectUri,
              codeVerifier,
              options
            )
            return normalizeTokenResponse(response, await response.text())
          })

        /** Reads a response, ignoring any ID token. */
        const readWithoutIdToken = Effect.fnUntraced(function* (response: Response) {
          const stripped = (yield* idTokenIn(response)) === undefined ? response : yield* withoutIdToken(response)
          const tokens = yield* callLibrary(() => oauth.processAuthorizationCodeResponse(server, client, stripped))
          return { tokens, subject: undefined, claims: undefined }
        })

        const readWithIdToken = Effect.fnUntraced(function* (response: Response, idTokens: IdTokens, idToken: unknown) {
          const expected = { requireIdToken: true, ...(idTokens.nonce ? { expectedNonce: nonce } : {}) }
          const tokens = yield* callLibrary(async () => {
            const issuer = expectedIssuer(idTokens, String(idToken))
            return oauth.processAuthorizationCodeResponse({ ...server, issuer }, client, response, expected)
          })
          const claims = oauth.getValidatedIdTokenClaims(tokens)
          if (server.jwks_uri !== undefined) {
            const keys: oauth.JWKSCacheInput = keySets.get(server) ?? {}
            keySets.set(server, keys)
            const withKeys = { ...options, [oauth.jwksCache]: keys }
            yield* callLibrary(() => oauth.validateApplicationLevelSignature(server, response, withKeys))
            const published = "jwks" in keys ? keys.jwks.keys : []
            const isFaulty = idTokens.containsProfile && !isConsistent(String(idToken), tokens.access_token, published)
            if (isFaulty) return yield* new LibraryError({ error: undefined })
          }
          return {
            tokens,
            subject: idTokens.subjectIsProfileId ? claims?.sub : undefined,
            claims: idTokens.containsProfile ? claims : undefined
          }
        })

        const read = Effect.fnUntraced(function* (response: Response) {
          const { idTokens } = preset
          if (idTokens === undefined) return yield* readWithoutIdToken(response)
          const idToken = yield* idTokenIn(response)
          const hasNone = idTokens.issuer === undefined && idToken === undefined
          return yield* hasNone ? readWithoutIdToken(response) : readWithIdToken(response, idTokens, idToken)
        })

        const [post, basic] = [oauth.ClientSecretPost(secret), oauth.ClientSecretBasic(secret)]
        const first = Effect.flatMap(requestTokens(preset.clientSecret === "post" ? post : basic), read)
        const result =
          preset.clientSecret !== "either"
            ? first
            : Effect.catchIf(
                first,
                ({ error }) => isUnknownClient(error),
                () => Effect.flatMap(requestTokens(post), read)
              )
        const { tokens, subject, claims } = yield* result
        const { access_token: accessToken, expires_in: seconds } = tokens
        const expiresAt = seconds !== undefined && seconds <= MAX_TOKEN_SECONDS ? DateTime.add(now, { seconds }) : null
        return { token: { accessToken, expiresAt }, subject, claims }
      }, Effect.scoped)

      return AuthorizationCodeExchange.of({
        exchange: (preset, client, returned) =>
          exchangeCode(preset, client, returned).pipe(
            Effect.mapError(failureOf),
            Effect.withSpan("AuthorizationCodeExchange.exchange")
          )
      })
    })
  )
}
