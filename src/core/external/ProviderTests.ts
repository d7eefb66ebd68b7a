import { Context, Effect, Layer } from "effect"
import { type AuthProviderNotFound, type ExternalProvider, isExternal } from "#domain/AuthProvider"
import type { RateLimited } from "#domain/Limit"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem } from "#domain/Rejected"
import { Outbound, type OutboundRequest, type OutboundResponse } from "#platform/Outbound"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { AuthProviders } from "./AuthProviders.ts"
import { clientSecretOf } from "./ClientSecrets.ts"
import { ProviderPresets } from "./ProviderPresets.ts"
import type { Preset } from "./providers/Preset.ts"
import { memberAt } from "./providers/ProviderClaims.ts"
import { formRequest, getRequest } from "./providers/TokenIntrospection.ts"

/** The checks of a provider test. `settings` makes no outbound requests. */
export const providerChecks = [
  "settings",
  "discovery",
  "authorization_endpoint",
  "token_endpoint",
  "profile_endpoint",
  "keys"
] as const

/** The result of a check. `skipped` means inconclusive. */
export const checkStates = ["completed", "failed", "skipped"] as const

/** The result of one check. `finding` explains it. */
export interface ProviderCheck {
  readonly name: (typeof providerChecks)[number]
  readonly state: (typeof checkStates)[number]
  readonly finding: Problem
}

/** Error codes by which token endpoints reject a client: those of RFC 6749, GitHub and Slack. */
const clientErrors = new Set([
  "invalid_client",
  "unauthorized_client",
  "incorrect_client_credentials",
  "invalid_client_id",
  "bad_client_secret"
])

/** Error codes by which token endpoints reject a code or its redirect URI. They show that the client was accepted. */
const codeErrors = new Set([
  "invalid_grant",
  "bad_verification_code",
  "invalid_code",
  "code_already_used",
  "redirect_uri_mismatch",
  "bad_redirect_uri",
  "invalid_redirect_uri"
])

/** Facebook's error numbers: for an unknown client or a wrong secret, and for an invalid code. */
const [CLIENT_NUMBERS, CODE_NUMBER] = [new Set<unknown>([1, 101]), 100]

/** The checks that need the discovery document. */
const notTested: ReadonlyArray<ProviderCheck> = (["authorization_endpoint", "token_endpoint", "keys"] as const).map(
  (name) => ({ name, state: "skipped", finding: problem(null, "check_not_tested") })
)

const isMissing = ({ status }: OutboundResponse) => status === 404 || status === 410 || status >= 500

const parsed = ({ body }: OutboundResponse): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Returns the error code in a response, if it is well-formed. */
const errorIn = (body: unknown): string | undefined => {
  const error = memberAt(body, "error")
  return typeof error === "string" && /^[\w.-]{1,64}$/.test(error) ? error : undefined
}

/** Interprets the response to a made-up code. An error about the code shows that our client is accepted. */
const interpret =
  (refused: "check_client_refused" | "check_apple_refused") =>
  (answer: OutboundResponse): Omit<ProviderCheck, "name"> => {
    const body = parsed(answer)
    const [error, number] = [errorIn(body), memberAt(body, "error.code")]
    const params = { answer: `HTTP ${answer.status}${error === undefined ? "" : ` ${error}`}` }
    if (typeof memberAt(body, "access_token") === "string")
      return { state: "failed", finding: problem(null, "check_code_accepted") }
    if (clientErrors.has(error ?? "") || CLIENT_NUMBERS.has(number) || answer.status === 401)
      return { state: "failed", finding: problem(null, refused, params) }
    if (codeErrors.has(error ?? "") || number === CODE_NUMBER)
      return { state: "completed", finding: problem(null, "check_client_accepted") }
    if (isMissing(answer)) return { state: "failed", finding: problem(null, "check_answered", params) }
    return { state: "skipped", finding: problem(null, "check_client_unclear", params) }
  }

/** Tests whether a provider's settings work, without a real login (C209). */
export class ProviderTests extends Context.Service<
  ProviderTests,
  {
    /** Calls the provider's endpoints. Records no event. */
    test(ref: string): Effect.Effect<ReadonlyArray<ProviderCheck>, AuthProviderNotFound | RateLimited, CurrentRealm>
  }
>()("sallyport/core/ProviderTests") {
  static readonly layer = Layer.effect(
    ProviderTests,
    Effect.gen(function* () {
      const providers = yield* AuthProviders
      const repo = yield* AuthProvidersRepo
      const outbound = yield* Outbound
      const limits = yield* RateLimits
      const presets = yield* ProviderPresets

      /** Sends a request and interprets the response. If the response is too long to read, the check is inconclusive. */
      const check = (
        name: ProviderCheck["name"],
        request: OutboundRequest,
        read: (answer: OutboundResponse) => Omit<ProviderCheck, "name">
      ): Effect.Effect<ProviderCheck> =>
        outbound.request(request).pipe(
          Effect.map((answer) => ({ name, ...read(answer) })),
          Effect.catchTags({
            OutboundFailed: ({ reason }) =>
              Effect.succeed<ProviderCheck>({ name, state: "failed", finding: problem(null, `check_${reason}`) }),
            ResponseTooLarge: () =>
              Effect.succeed<ProviderCheck>({ name, state: "skipped", finding: problem(null, "check_too_long") })
          })
        )

      const reach = (name: ProviderCheck["name"], url: string) =>
        check(name, getRequest(url, {}), (answer) => ({
          state: isMissing(answer) ? "failed" : "completed",
          finding: problem(null, "check_answered", { answer: `HTTP ${answer.status}` })
        }))

      const keys = (url: string) =>
        check("keys", getRequest(url, {}), (answer) => {
          const found = memberAt(parsed(answer), "keys")
          return Array.isArray(found) && found.length > 0
            ? {
                state: "completed",
                finding:
                  found.length === 1 ? problem(null, "check_key") : problem(null, "check_keys", { count: found.length })
              }
            : { state: "failed", finding: problem(null, "check_no_keys", { answer: `HTTP ${answer.status}` }) }
        })

      const client = Effect.fnUntraced(function* (preset: Preset, provider: ExternalProvider) {
        const secret = yield* clientSecretOf(provider, yield* repo.clientSecret(provider))
        if (secret === null)
          return {
            name: "token_endpoint",
            state: "failed",
            finding: problem(null, "check_secret_unreadable")
          } as const
        const isApple = provider.providerType === "apple"
        const read = interpret(isApple ? "check_apple_refused" : "check_client_refused")
        const form = {
          grant_type: "authorization_code",
          code: "a-code-that-was-made-up",
          redirect_uri: "https://example.com/",
          ...(preset.supportsPkce ? { code_verifier: "made-up".padEnd(43, "0") } : {})
        }
        const pair = [provider.clientId, secret].map(encodeURIComponent).join(":")
        const byBasic = { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }
        const inBody = { ...form, client_id: provider.clientId, client_secret: secret }
        const post = check("token_endpoint", formRequest(preset.endpoints.token, inBody), read)
        // Logins also send the secret in the body if the provider rejects HTTP Basic in one of these ways.
        let loginRetriesInBody = false
        const basic = check("token_endpoint", formRequest(preset.endpoints.token, form, byBasic), (answer) => {
          loginRetriesInBody = answer.status === 401 || errorIn(parsed(answer)) === "invalid_client"
          return read(answer)
        })
        const isPost = preset.clientSecret === "post"
        const first = yield* isPost ? post : basic
        const canChange = provider.providerType === "oauth2" || provider.providerType === "oidc"
        if (first.state === "completed" || !canChange) return first
        const other = yield* isPost ? basic : post
        if (other.state !== "completed") return first
        const worksForLogins = preset.clientSecret === "either" && loginRetriesInBody
        return {
          ...other,
          state: worksForLogins ? other.state : ("failed" as const),
          finding: problem(null, isPost ? "check_client_accepted_basic" : "check_client_accepted_post")
        }
      })

      const testEndpoints = (
        preset: Preset,
        provider: ExternalProvider
      ): Effect.Effect<ReadonlyArray<ProviderCheck>> => {
        const { endpoints } = preset
        return Effect.all(
          [
            reach("authorization_endpoint", endpoints.authorization),
            client(preset, provider),
            ...(endpoints.profile === undefined ? [] : [reach("profile_endpoint", endpoints.profile)]),
            ...(endpoints.keys === undefined ? [] : [keys(endpoints.keys)])
          ],
          { concurrency: "unbounded" }
        )
      }

      const test = Effect.fn("ProviderTests.test")(function* (ref: string) {
        const provider = yield* providers.get(ref)
        if (!isExternal(provider)) {
          return [{ name: "settings", state: "completed", finding: problem(null, "check_no_requests") } as const]
        }
        const realm = yield* CurrentRealm
        yield* limits.take("provider_tests", realm.id, realm.limits)
        if (provider.providerType !== "oidc")
          return yield* testEndpoints(yield* Effect.orDie(presets.of(provider)), provider)
        return yield* presets.discover(provider).pipe(
          Effect.flatMap((preset) => testEndpoints(preset, provider)),
          Effect.map((checks) => [
            { name: "discovery", state: "completed", finding: problem(null, "check_discovered") } as const,
            ...checks
          ]),
          Effect.catchTag("DiscoveryFailed", ({ finding }) =>
            Effect.succeed([{ name: "discovery", state: "failed", finding } as const, ...notTested])
          )
        )
      })

      return ProviderTests.of({ test })
    })
  )
}
