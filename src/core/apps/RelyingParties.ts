import { Context, Effect, Layer } from "effect"
import { originsOf } from "#domain/AppOrigins"
import { CurrentRealm } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { LoginDomains } from "#platform/LoginDomains"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"

/** What a ceremony with a passkey is bound to: a page, and the domain that the passkey belongs to. */
export interface CeremonyPlace {
  readonly origin: string
  readonly rpId: string
}

/** Where passkeys of a realm are used: the pages of its connected apps, for one domain (C129). */
export class RelyingParties extends Context.Service<
  RelyingParties,
  {
    /** The origins of the realm's active apps: those of the oldest first, its login host before all. */
    readonly origins: Effect.Effect<ReadonlyArray<string>, never, CurrentRealm>
    /** The domain of the realm's passkeys. Undefined: it has none, as it has no active app. */
    readonly rpId: Effect.Effect<string | undefined, never, CurrentRealm>
    /**
     * The place of a ceremony on a page of this origin; undefined: on the login host of the realm's oldest app. Rejects an
     * origin that is none of the realm's apps.
     */
    place(origin: string | undefined): Effect.Effect<CeremonyPlace, Rejected, CurrentRealm>
  }
>()("sallyport/core/RelyingParties") {
  static readonly layer = Layer.effect(
    RelyingParties,
    Effect.gen(function* () {
      const repo = yield* ConnectedAppsRepo
      const domains = yield* LoginDomains

      const origins = Effect.gen(function* () {
        const apps = yield* repo.active((yield* CurrentRealm).id)
        return [...new Set(apps.flatMap((app) => originsOf(app, domains.origin(app.subdomain))))]
      })

      const rpId = Effect.gen(function* () {
        const { passkeyRpId } = yield* CurrentRealm
        if (passkeyRpId !== null) return passkeyRpId
        const [first] = yield* origins
        return first === undefined ? undefined : new URL(first).hostname
      })

      const place = Effect.fnUntraced(function* (origin: string | undefined) {
        const { passkeyRpId } = yield* CurrentRealm
        const allowed = yield* origins
        const [first] = allowed
        if (first === undefined) return yield* rejected("origin", "passkey_no_app")
        if (origin !== undefined && !allowed.includes(origin)) return yield* rejected("origin", "passkey_page")
        return { origin: origin ?? first, rpId: passkeyRpId ?? new URL(first).hostname }
      })

      return RelyingParties.of({ origins, rpId, place })
    })
  )
}
