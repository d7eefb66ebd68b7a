import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { readMigrations } from "#sql/MigrationFiles"
import { imageOf } from "#sql/PgliteImage"

/** The archive of a migrated, empty embedded database. The first call after a new migration builds and caches it. */
export const embeddedImage = (): Promise<Uint8Array> =>
  Effect.flatMap(readMigrations(), imageOf).pipe(
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  )
