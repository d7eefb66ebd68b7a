import "./RequiredNode.ts"
import { Layer } from "effect"
import { Actors } from "#actors/Actors"
import type { CleaningThread } from "#core/appearance/CleaningThread"
import { Journal } from "#core/events/Journal"
import { Issuer } from "#core/keys/Issuer"
import { KeyRing } from "#core/keys/KeyRing"
import { RateLimits } from "#core/limits/RateLimits"
import type { MailRenderer } from "#core/mail/MailRenderer"
import { Nodes } from "#core/nodes/Nodes"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { RealmSizes } from "#core/upkeep/RealmSizes"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import type { Signer } from "#platform/Signer"
import { WakeUps } from "#platform/WakeUps"
import { operations } from "./layers/Core.ts"
import { coreInternals } from "./layers/CoreInternals.ts"
import { platform, platformInternals } from "./layers/Platform.ts"
import { Clients, Repositories } from "./layers/Store.ts"
import { routes } from "./layers/Surfaces.ts"
import type { Options } from "./Options.ts"

// This file is the package's entry point `./server`.
export { Clients } from "./layers/Store.ts"
export { operatorRoutes, routes } from "./layers/Surfaces.ts"
export type { Options } from "./Options.ts"

interface Parts {
  /** Creates and uses the keys that sign tokens. */
  readonly signer?: Layer.Layer<Signer> | undefined
  /** Renders emails, and cleans markup and logos. */
  readonly renderer?: Layer.Layer<MailRenderer | CleaningThread> | undefined
}

/**
 * The whole service except HTTP. Its context contains only operations and the services that surfaces use, so that a
 * request carries few services. `parts`: replacements for the service's own, for tests.
 */
export const core = (options: Options, parts: Parts = {}) => {
  // Effect shares a layer by reference: two calls of `RateLimits.layer` would be two services, each with its own counts.
  const rateLimits = RateLimits.layer(options)
  const internals = coreInternals(options, rateLimits, parts.renderer).pipe(
    Layer.provideMerge(Repositories),
    Layer.provideMerge(platformInternals(options, parts.signer)),
    Layer.provideMerge(Clients)
  )
  return Layer.mergeAll(
    Actors.layer(options),
    Journal.layer,
    KeyRing.layer,
    Nodes.layer,
    RealmSizes.layer,
    Secrets.layer(options.secrets),
    WakeUps.layer,
    rateLimits
  ).pipe(
    Layer.provideMerge(operations(options)),
    Layer.provide(internals),
    Layer.provideMerge(
      Layer.mergeAll(
        platform(options),
        PasswordHasher.layer({ params: options.hashCost }),
        Issuer.layer({ publicUrl: options.publicUrl, configured: options.issuer })
      )
    ),
    Layer.provide(Entropy.layer)
  )
}

/** The whole service: the routes, and the core that they use. */
export const sallyport = (options: Parameters<typeof routes>[0]) =>
  routes(options).pipe(Layer.provideMerge(core(options)))
