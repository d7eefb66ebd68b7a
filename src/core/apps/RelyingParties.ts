import { Context, Effect, Layer } from "effect"
import { originsOf } from "#domain/AppOrigins"
import { CurrentRealm } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { LoginDomains } from "#platform/LoginDomains"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"

/** The origin of the page where a passkey is created or used, and the domain to which the passkey belongs. */
export interface CeremonyPlace {
  readonly origin: string
  readonly rpId: string
}

/** The origins and the domain of a realm's passkeys, which users create and use on the pages of its connected apps (C129). */
export class RelyingParties extends Context.Service<
  RelyingParties,
  {
    /** The origins of the realm's active apps. The first is the login host of the oldest app. */
    readonly origins: Effect.Effect<ReadonlyArray<string>, never, CurrentRealm>
    /** The domain of the realm's passkeys, or undefined if the realm has no active app. */
    readonly rpId: Effect.Effect<string | undefined, never, CurrentRealm>
    /**
     * Returns the origin and domain for a ceremony on a page of this origin. The default is the login host of the realm's
     * oldest app. Rejects an origin that does not belong to an app of the realm.
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
        if (first === undefined) return yield* rejection("origin", "passkey_no_app")
        if (origin !== undefined && !allowed.includes(origin)) return yield* rejection("origin", "passkey_page")
        return { origin: origin ?? first, rpId: passkeyRpId ?? new URL(first).hostname }
      })

      return RelyingParties.of({ origins, rpId, place })
    })
  )
}
