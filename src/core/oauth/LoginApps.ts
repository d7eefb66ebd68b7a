import { Context, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"

/** Finds the app on whose pages the users of an OAuth client log in. */
export class LoginApps extends Context.Service<
  LoginApps,
  {
    /**
     * Finds the app that the client names. If it names none, or the app was deleted, finds the realm's oldest active app.
     * Returns undefined if the named app is inactive, or if there is no app.
     */
    find(client: Pick<OAuthClient, "realmId" | "loginAppId">): Effect.Effect<ConnectedApp | undefined>
  }
>()("sallyport/core/LoginApps") {
  static readonly layer = Layer.effect(
    LoginApps,
    Effect.map(ConnectedAppsRepo, (apps) =>
      LoginApps.of({
        find: Effect.fnUntraced(function* ({ realmId, loginAppId }) {
          const chosen = loginAppId === null ? undefined : yield* apps.find(realmId, loginAppId)
          if (chosen === undefined) return yield* apps.findOldestActive(realmId)
          return chosen.state === "active" ? chosen : undefined
        })
      })
    )
  )
}
