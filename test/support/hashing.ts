import { DateTime, Effect, Layer } from "effect"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { RealmId } from "#domain/Ids"
import { CurrentRealm, defaultSettings, type Realm } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"

/** Only the password hashing service, with counters at 0. */
export const makePasswords = (options?: Parameters<typeof PasswordHasher.layer>[0]) =>
  Effect.provide(PasswordHasher, PasswordHasher.layer(options).pipe(Layer.provide(Entropy.layer)))

const realmOf = (id: string): Realm => ({
  ...defaultSettings("v2"),
  id: RealmId.make(id),
  name: id,
  createdAt: DateTime.makeUnsafe(0),
  pendingReset: null
})

/** Runs an effect as an operation of this realm. */
export const inRealm = (id: string) => Effect.provideService(CurrentRealm, realmOf(id))

/** Provides one realm for all operations. */
export const OneRealm = Layer.succeed(CurrentRealm, realmOf("rlm_a"))

/** One turn of the event loop. */
export const turn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))
