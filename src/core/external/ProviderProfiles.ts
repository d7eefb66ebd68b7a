import { Effect } from "effect"
import { parseWithDigits } from "#domain/ExactJson"
import { ProviderFailed } from "#domain/ExternalLogin"
import { Outbound, type OutboundRequest } from "#platform/Outbound"
import type { Preset, ProviderClient } from "./providers/Preset.ts"
import { memberAt, mergeClaims, profileOf } from "./providers/ProviderClaims.ts"
import { getRequest } from "./providers/TokenIntrospection.ts"

/** The format of an access token that can be sent in a header (RFC 6749, appendix A.12). */
const TOKEN_FORMAT = /^[\x21-\x7e]+$/

const unusableAnswer = () => new ProviderFailed({ why: "provider_answer" })

/** Reads users' profiles from providers with an access token. */
export const providerProfiles = Effect.gen(function* () {
  const outbound = yield* Outbound

  /** Sends a request and returns the JSON of its response. A 4xx status means that the provider rejected the token. */
  const fetchJson = Effect.fnUntraced(function* ({ headers, ...request }: OutboundRequest) {
    const allHeaders = { "user-agent": "Sallyport", "accept-encoding": "identity", ...headers }
    const { status, body } = yield* outbound.request({ ...request, headers: allHeaders }).pipe(
      Effect.catchTags({
        OutboundFailed: () => new ProviderFailed({ why: "provider_unreachable" }),
        ResponseTooLarge: unusableAnswer
      })
    )
    if (status >= 400 && status < 500) return yield* new ProviderFailed({ why: "access_token_refused" })
    if (status !== 200) return yield* unusableAnswer()
    return yield* Effect.try({ try: () => parseWithDigits(body), catch: unusableAnswer })
  })

  const fetchWithToken = (accessToken: string, endpoint: string) => {
    const request = getRequest(endpoint, {})
    if (!TOKEN_FORMAT.test(accessToken)) return Effect.fail(new ProviderFailed({ why: "access_token_refused" }))
    return fetchJson({ ...request, headers: { ...request.headers, authorization: `Bearer ${accessToken}` } })
  }

  /** Reads the profile of the person to whom a token was issued. `subject` is the ID that the profile must have. */
  const read = Effect.fn("ProviderProfiles.read")(function* (
    { endpoints, claimsOf }: Preset,
    accessToken: string,
    subject: string | undefined
  ) {
    if (endpoints.profile === undefined) return yield* new ProviderFailed({ why: "access_token_refused" })
    const claims = yield* fetchWithToken(accessToken, endpoints.profile)
    const emails =
      endpoints.emails === undefined
        ? undefined
        : yield* Effect.catchIf(
            fetchWithToken(accessToken, endpoints.emails),
            ({ why }) => why === "access_token_refused",
            () => Effect.succeed(undefined)
          )
    const profile = profileOf(claimsOf(claims, emails))
    if (profile === undefined || (subject !== undefined && subject !== profile.providerUserId))
      return yield* unusableAnswer()
    return profile
  })

  /**
   * Reads the profile in the claims of an ID token. Claims that it lacks are read from the userinfo endpoint, if there is one.
   * That endpoint must name the same person (OpenID Connect Core §5.3.2).
   */
  const readClaims = Effect.fn("ProviderProfiles.readClaims")(function* (
    { endpoints, claimsOf }: Preset,
    accessToken: string,
    claims: unknown
  ) {
    const own = claimsOf(claims, undefined)
    const [hasEmail, hasName] = [own.email !== undefined, (own.firstName ?? own.lastName ?? own.name) !== undefined]
    const isComplete = endpoints.profile === undefined || (hasEmail && hasName)
    const more = isComplete
      ? undefined
      : yield* Effect.catchIf(
          fetchWithToken(accessToken, endpoints.profile),
          // Without a name, the person can still log in.
          () => hasEmail,
          () => Effect.succeed(undefined)
        )
    if (more !== undefined && memberAt(more, "sub") !== own.id) return yield* unusableAnswer()
    const profile = profileOf(more === undefined ? own : mergeClaims(own, claimsOf(more, undefined)))
    return profile ?? (yield* unusableAnswer())
  })

  /** Fails if a token was issued to another client. Does nothing if the provider can't report the client. */
  const inspect = Effect.fn("ProviderProfiles.inspect")(function* (
    { endpoints, inspection }: Preset,
    client: ProviderClient,
    accessToken: string
  ) {
    if (inspection === undefined || endpoints.inspection === undefined) return
    const answer = yield* fetchJson(inspection.request(client, endpoints.inspection, accessToken))
    const isOurs = inspection.isOurs(answer, client.provider.clientId)
    if (!isOurs) return yield* new ProviderFailed({ why: "access_token_refused" })
  })

  return { read, readClaims, inspect }
})
