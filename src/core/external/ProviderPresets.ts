import { Context, Data, DateTime, Effect, Layer } from "effect"
import type { ExternalProvider, OidcProvider } from "#domain/AuthProvider"
import { ProviderFailed } from "#domain/ExternalLogin"
import { type Problem, problem } from "#domain/Rejected"
import { LruMap } from "#platform/LruMap"
import { Outbound } from "#platform/Outbound"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import { discoveryUrl, type IssuerMetadata, oidcPreset, readMetadata } from "./providers/Oidc.ts"
import type { Preset } from "./providers/Preset.ts"
import { presetOf, WellKnown } from "./providers/Presets.ts"
import { getRequest } from "./providers/TokenIntrospection.ts"

/** An issuer's discovery document is missing or unusable. `finding` says why. */
export class DiscoveryFailed extends Data.TaggedError("DiscoveryFailed")<{
  readonly finding: Problem
  /** Whether the issuer doesn't respond, or responds with a status of 500 and above. */
  readonly isDown: boolean
}> {}

/** The maximum number of cached discovery documents (SEC-93), and how long they are used: without, and with a failed renewal. */
const [CAPACITY, FRESH_MINUTES, STALE_MINUTES] = [100, 60, 24 * 60]

/** The time limit for a discovery document, in milliseconds. People wait for it before they see the provider's page. */
const TIME_LIMIT = 5_000

interface Cached {
  readonly key: string
  readonly metadata: IssuerMetadata
  readonly loadedAt: DateTime.Utc
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds the presets of providers: built in, in the settings, or discovered at an issuer (C298). */
export class ProviderPresets extends Context.Service<
  ProviderPresets,
  {
    of(provider: ExternalProvider): Effect.Effect<Preset, ProviderFailed>
    /** Reads an issuer's discovery document, even if it is cached. */
    discover(provider: OidcProvider): Effect.Effect<Preset, DiscoveryFailed>
  }
>()("sallyport/core/ProviderPresets") {
  static readonly layer = Layer.effect(
    ProviderPresets,
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const policy = yield* OutboundPolicy
      const wellKnown = yield* WellKnown
      const cache = new LruMap<string, Cached>(CAPACITY)

      const unusable = (finding: Problem, isDown = false) => new DiscoveryFailed({ finding, isDown })

      const load = Effect.fnUntraced(function* (issuer: string) {
        const loadedAt = yield* DateTime.now
        const { status, body } = yield* outbound
          .request({ ...getRequest(discoveryUrl(issuer), {}), timeLimit: TIME_LIMIT })
          .pipe(
            Effect.catchTags({
              OutboundFailed: ({ reason }) => unusable(problem(null, `check_${reason}`), true),
              ResponseTooLarge: () => unusable(problem(null, "check_discovery_too_long"))
            })
          )
        if (status !== 200)
          return yield* unusable(problem(null, "check_answered", { answer: `HTTP ${status}` }), status >= 500)
        const isAllowed = (url: string) => policy.problem(url) === undefined
        const metadata = readMetadata(issuer, jsonIn(body), isAllowed)
        if ("code" in metadata) return yield* unusable(metadata)
        cache.set({ key: issuer, metadata, loadedAt })
        return metadata
      })

      /** Returns the metadata of an issuer. If it can't be renewed, the previous one is used for up to a day. */
      const metadataOf = Effect.fnUntraced(function* (issuer: string) {
        const now = yield* DateTime.now
        const cached = cache.get(issuer)
        const isYoungerThan = (minutes: number) =>
          cached !== undefined && DateTime.isGreaterThan(DateTime.add(cached.loadedAt, { minutes }), now)
        if (cached !== undefined && isYoungerThan(FRESH_MINUTES)) return cached.metadata
        return yield* cached !== undefined && isYoungerThan(STALE_MINUTES)
          ? Effect.catch(load(issuer), () => Effect.succeed(cached.metadata))
          : load(issuer)
      })

      const of = Effect.fn("ProviderPresets.of")(
        function* (provider: ExternalProvider) {
          if (provider.providerType !== "oidc") return presetOf(wellKnown, provider)
          return oidcPreset(provider, yield* metadataOf(provider.issuer))
        },
        Effect.mapError(
          ({ isDown }: DiscoveryFailed) =>
            new ProviderFailed({ why: isDown ? "provider_unreachable" : "provider_answer" })
        )
      )

      const discover = Effect.fn("ProviderPresets.discover")(function* (provider: OidcProvider) {
        return oidcPreset(provider, yield* load(provider.issuer))
      })

      return ProviderPresets.of({ of, discover })
    })
  )
}
