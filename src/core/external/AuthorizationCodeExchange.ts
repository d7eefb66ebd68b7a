import { Clock, Context, Data, DateTime, Effect, FiberSet, Layer } from "effect"
import { decodeJwt } from "jose"
import * as oauth from "oauth4webapi"
import { ProviderFailed, type ProviderToken } from "#domain/ExternalLogin"
import { Outbound, OutboundFailed, type OutboundResponse, ResponseTooLarge } from "#platform/Outbound"
import { AuthorizationServers, NOBODY } from "./AuthorizationServers.ts"
import type { Beginning } from "./AuthorizationUrl.ts"
import type { IdTokens, Preset, ProviderClient } from "./providers/Preset.ts"
import { memberAt } from "./providers/ProviderClaims.ts"

/** A code as it came back. */
export interface PresentedCode extends Beginning {
  readonly code: string
  /** The provider that says it issued the code (RFC 9207), where the caller handed that on. */
  readonly issuer: string | null
}

/** What a code was good for. `subject`: whom the ID token names, where there is one that counts. */
export interface Exchanged {
  readonly token: ProviderToken
  readonly subject: string | undefined
}

/** What the library, or the way out beneath it, has thrown. */
class Thrown extends Data.TaggedError("Thrown")<{ readonly error: unknown }> {}

/** The longest access token that is kept: as long as a caller may give one. */
export const TOKEN_LENGTH = 8_192

/** A year is more than any provider says; what is beyond is not believed. */
const LONGEST = 366 * 24 * 3_600

const responseOf = ({ status, contentType, body }: OutboundResponse): Response => {
  const bodiless = [204, 205, 304].includes(status)
  const headers = contentType === undefined ? {} : { "content-type": contentType }
  return new Response(bodiless ? null : body, { status, headers })
}

/** Whether a token endpoint says that it is not satisfied with how we showed who we are. */
const isUnknownClient = (error: unknown): boolean =>
  error instanceof oauth.WWWAuthenticateChallengeError ||
  (error instanceof oauth.ResponseBodyError && (error.error === "invalid_client" || error.status === 401))

/** Some providers refuse a code in a form of their own: by a status alone, or with an error in place of a token. */
const refuses = (error: unknown): boolean => {
  if (!(error instanceof oauth.OperationProcessingError)) return false
  const { cause } = error
  return cause instanceof Response
    ? cause.status >= 400 && cause.status < 500
    : typeof memberAt(cause, "body.error") === "string"
}

const failureOf = ({ error }: Thrown): ProviderFailed => {
  if (error instanceof OutboundFailed) return new ProviderFailed({ why: "provider_unreachable" })
  if (error instanceof ResponseTooLarge) return new ProviderFailed({ why: "provider_answer" })
  const refused =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError || refuses(error)
  return new ProviderFailed({ why: refused ? "code_refused" : "provider_answer" })
}

const called = <A>(call: () => Promise<A>): Effect.Effect<A, Thrown> =>
  Effect.tryPromise({ try: call, catch: (error) => new Thrown({ error }) })

/** The ID token in the answer of a token endpoint, if there is one. */
const idTokenIn = (response: Response): Effect.Effect<unknown> =>
  called(() => response.clone().json()).pipe(
    Effect.map((body) => memberAt(body, "id_token")),
    Effect.catch(() => Effect.succeed(undefined))
  )

/** The same answer without its ID token. */
const withoutIdToken = (response: Response) =>
  Effect.map(
    called(() => response.json()),
    (body: unknown) => {
      const { status, headers } = response
      return new Response(JSON.stringify({ ...Object(body), id_token: undefined }), { status, headers })
    }
  )

/** The exchange of codes for access tokens, with all that OAuth 2.0 and OpenID Connect check (SEC-61 to SEC-63). */
export class AuthorizationCodeExchange extends Context.Service<
  AuthorizationCodeExchange,
  {
    exchange(preset: Preset, client: ProviderClient, presented: PresentedCode): Effect.Effect<Exchanged, ProviderFailed>
  }
>()("sallyport/core/AuthorizationCodeExchange") {
  static readonly layer = Layer.effect(
    AuthorizationCodeExchange,
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const servers = new AuthorizationServers()

      /** How the library is to make its requests: by our way out, which has its own idea of what is insecure. */
      const requests = Effect.map(FiberSet.makeRuntimePromise(), (run) => ({
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

      const exchanged = Effect.fnUntraced(function* (
        preset: Preset,
        { provider, secret }: ProviderClient,
        presented: PresentedCode
      ) {
        const server = servers.of(preset)
        const now = yield* DateTime.now
        // The library reads the machine's clock.
        const ahead = now.epochMilliseconds - Clock.Clock.defaultValue().currentTimeMillisUnsafe()
        const client = { client_id: provider.clientId, [oauth.clockSkew]: Math.trunc(ahead / 1_000) }
        const options = yield* requests
        const { code, state, issuer, verifier, nonce, redirectUri } = presented
        const named = issuer === null || preset.idTokens?.issuer === undefined ? {} : { iss: issuer }
        const returned = new URLSearchParams({ code, state, ...named })

        const ask = (authentication: oauth.ClientAuth) =>
          called(async () => {
            const checked = oauth.validateAuthResponse(server, client, returned, state)
            const challenge = preset.challenge ? verifier : oauth.nopkce
            return oauth.authorizationCodeGrantRequest(
              server,
              client,
              authentication,
              checked,
              redirectUri,
              challenge,
              options
            )
          })

        /** Reads an answer without an ID token, or with one that means nothing to us. */
        const readBare = Effect.fnUntraced(function* (response: Response) {
          const bare = (yield* idTokenIn(response)) === undefined ? response : yield* withoutIdToken(response)
          const tokens = yield* called(() => oauth.processAuthorizationCodeResponse(server, client, bare))
          return { tokens, subject: undefined }
        })

        const readWith = Effect.fnUntraced(function* (response: Response, idTokens: IdTokens, idToken: unknown) {
          const expected = { requireIdToken: true, ...(idTokens.nonce ? { expectedNonce: nonce } : {}) }
          const tokens = yield* called(async () => {
            const issuer = idTokens.issuer ?? decodeJwt(String(idToken)).iss ?? NOBODY
            return oauth.processAuthorizationCodeResponse({ ...server, issuer }, client, response, expected)
          })
          if (server.jwks_uri !== undefined) {
            yield* called(() => oauth.validateApplicationLevelSignature(server, response, options))
          }
          return { tokens, subject: idTokens.names ? oauth.getValidatedIdTokenClaims(tokens)?.sub : undefined }
        })

        const read = Effect.fnUntraced(function* (response: Response) {
          const { idTokens } = preset
          if (idTokens === undefined) return yield* readBare(response)
          const idToken = yield* idTokenIn(response)
          const mayLack = idTokens.issuer === undefined && idToken === undefined
          return yield* mayLack ? readBare(response) : readWith(response, idTokens, idToken)
        })

        const [post, basic] = [oauth.ClientSecretPost(secret), oauth.ClientSecretBasic(secret)]
        const once = Effect.flatMap(ask(preset.clientSecret === "post" ? post : basic), read)
        const either =
          preset.clientSecret !== "either"
            ? once
            : Effect.catchIf(
                once,
                ({ error }) => isUnknownClient(error),
                () => Effect.flatMap(ask(post), read)
              )
        const { tokens, subject } = yield* either
        const { access_token: accessToken, expires_in: seconds } = tokens
        const expiresAt = seconds !== undefined && seconds <= LONGEST ? DateTime.add(now, { seconds }) : null
        return { token: { accessToken, expiresAt }, subject }
      }, Effect.scoped)

      return AuthorizationCodeExchange.of({
        exchange: (preset, client, presented) =>
          exchanged(preset, client, presented).pipe(
            Effect.mapError(failureOf),
            Effect.withSpan("AuthorizationCodeExchange.exchange")
          )
      })
    })
  )
}
