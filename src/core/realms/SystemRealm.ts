import { Context, Effect, Layer } from "effect"
import { type ConnectedApp } from "#domain/ConnectedApp"
import { defaultAppSettings } from "#domain/ConnectedAppInput"
import { CONSOLE_APP, SYSTEM } from "#domain/Ids"
import { systemRealm } from "#domain/Realm"
import { IdGenerator } from "#platform/IdGenerator"
import { CONSOLE_SUBDOMAIN } from "#platform/LoginDomains"
import { Transaction } from "#platform/Transaction"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { Journal } from "../events/Journal.ts"
import { defaultHooks } from "../hooks/DefaultHooks.ts"
import { KeyRing } from "../keys/KeyRing.ts"
import { initialProviders } from "./InitialProviders.ts"

/** The app whose pages log in operators. Its pages are at the public URL. */
export const consoleApp: ConnectedApp = {
  ...defaultAppSettings,
  id: CONSOLE_APP,
  realmId: SYSTEM,
  name: systemRealm.name,
  subdomain: CONSOLE_SUBDOMAIN,
  signupMode: "none",
  allowJsonp: false,
  createdAt: systemRealm.createdAt
}

/** Makes the system realm, in which operators have their accounts (C302). */
export class SystemRealm extends Context.Service<
  SystemRealm,
  {
    /** Makes the system realm, its login methods and its app unless they exist. Several nodes may do so at once. Records no event. */
    readonly ensure: Effect.Effect<void>
  }
>()("sallyport/core/SystemRealm") {
  static readonly layer = Layer.effect(
    SystemRealm,
    Effect.gen(function* () {
      const repo = yield* RealmsRepo
      const apps = yield* ConnectedAppsRepo
      const providers = yield* AuthProvidersRepo
      const hooks = yield* defaultHooks
      const keys = yield* KeyRing
      const ids = yield* IdGenerator
      const journal = yield* Journal
      const transaction = yield* Transaction

      const make = Effect.gen(function* () {
        const signingKey = yield* keys.generate(systemRealm.jwtAlgo)
        const methods = yield* Effect.provideService(initialProviders(systemRealm), IdGenerator, ids)
        yield* transaction.run(
          Effect.gen(function* () {
            if (!(yield* repo.insertSystem(systemRealm))) return
            const writes = [
              yield* keys.insertion(SYSTEM, signingKey),
              yield* hooks.insertion(systemRealm),
              providers.insertion(methods)
            ]
            yield* Effect.orDie(journal.writeIn(SYSTEM, [{ writes, events: [] }]))
            yield* apps.insert(consoleApp, consoleApp.createdAt)
          })
        )
      })

      return SystemRealm.of({
        ensure: Effect.flatMap(repo.find(SYSTEM), (found) => (found === undefined ? make : Effect.void))
      })
    })
  )
}
