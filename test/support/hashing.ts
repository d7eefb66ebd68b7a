import { DateTime, Effect, Layer } from "effect"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { RealmId } from "#domain/Ids"
import { CurrentRealm, defaultSettings, type Realm } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"

/** The hashing of passwords alone. */
export const makePasswords = (options?: Parameters<typeof PasswordHasher.layer>[0]) =>
  Effect.runPromise(Effect.provide(PasswordHasher, PasswordHasher.layer(options).pipe(Layer.provide(Entropy.layer))))

const realmOf = (id: string): Realm => ({
  ...defaultSettings("v2"),
  id: RealmId.make(id),
  name: id,
  createdAt: DateTime.makeUnsafe(0),
  pendingReset: null
})

/** As an operation of this realm. */
export const inRealm =
  (id: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentRealm, realmOf(id))

/** Runs what one realm asks for. */
export const runIn =
  (id: string) =>
  <A, E>(effect: Effect.Effect<A, E, CurrentRealm>): Promise<A> =>
    Effect.runPromise(inRealm(id)(effect))
