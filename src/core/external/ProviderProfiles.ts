import { Context, Effect, Layer, Schema } from "effect"
import { type ExternalProfile, ProviderFailed } from "#domain/ExternalLogin"
import { Outbound, type OutboundRequest } from "#platform/Outbound"
import type { Preset, ProviderClient } from "./providers/Preset.ts"
import { profileOf } from "./providers/ProviderClaims.ts"
import { asking } from "./providers/TokenIntrospection.ts"

const Json = Schema.fromJsonString(Schema.Unknown)

/** What an access token can be made of to stand in a header (RFC 6749, appendix A.12). */
const SENDABLE = /^[\x21-\x7e]+$/

const odd = () => new ProviderFailed({ why: "provider_answer" })

/** What providers know of the people whose access tokens they gave out. */
export class ProviderProfiles extends Context.Service<
  ProviderProfiles,
  {
    /** Who a token stands for; `subject`: who it has to be. */
    read(
      preset: Preset,
      accessToken: string,
      subject: string | undefined
    ): Effect.Effect<ExternalProfile, ProviderFailed>
    /** Whether a token was given to us, where the provider can tell: else another client's would do as well. */
    inspect(preset: Preset, client: ProviderClient, accessToken: string): Effect.Effect<void, ProviderFailed>
  }
>()("sallyport/core/ProviderProfiles") {
  static readonly layer = Layer.effect(
    ProviderProfiles,
    Effect.gen(function* () {
      const outbound = yield* Outbound

      /** The JSON of an answer; a status of 400 and more refuses the token. */
      const told = Effect.fnUntraced(function* ({ headers, ...question }: OutboundRequest) {
        const sent = { "user-agent": "Sallyport", "accept-encoding": "identity", ...headers }
        const { status, body } = yield* outbound.request({ ...question, headers: sent }).pipe(
          Effect.catchTags({
            OutboundFailed: () => new ProviderFailed({ why: "provider_unreachable" }),
            ResponseTooLarge: odd
          })
        )
        if (status >= 400 && status < 500) return yield* new ProviderFailed({ why: "access_token_refused" })
        if (status !== 200) return yield* odd()
        return yield* Schema.decodeUnknownEffect(Json)(body).pipe(Effect.mapError(odd))
      })

      const by = (accessToken: string, endpoint: string) => {
        const question = asking(endpoint, {})
        if (!SENDABLE.test(accessToken)) return Effect.fail(new ProviderFailed({ why: "access_token_refused" }))
        return told({ ...question, headers: { ...question.headers, authorization: `Bearer ${accessToken}` } })
      }

      const read = Effect.fn("ProviderProfiles.read")(function* (
        { endpoints, person }: Preset,
        accessToken: string,
        subject: string | undefined
      ) {
        const profile = yield* by(accessToken, endpoints.profile)
        const emails =
          endpoints.emails === undefined
            ? undefined
            : yield* Effect.catchIf(
                by(accessToken, endpoints.emails),
                ({ why }) => why === "access_token_refused",
                () => Effect.succeed(undefined)
              )
        const found = profileOf(person(profile, emails))
        if (found === undefined || (subject !== undefined && subject !== found.providerUserId)) return yield* odd()
        return found
      })

      const inspect = Effect.fn("ProviderProfiles.inspect")(function* (
        { endpoints, inspection }: Preset,
        client: ProviderClient,
        accessToken: string
      ) {
        if (inspection === undefined || endpoints.inspection === undefined) return
        const answer = yield* told(inspection.question(client, endpoints.inspection, accessToken))
        const ours = inspection.isOurs(answer, client.provider.clientId)
        if (!ours) return yield* new ProviderFailed({ why: "access_token_refused" })
      })

      return ProviderProfiles.of({ read, inspect })
    })
  )
}
