import { Context, DateTime, Effect, Layer } from "effect"
import type { JWK } from "jose"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { CurrentRealm } from "#domain/Realm"
import { LruMap } from "#platform/LruMap"
import { usableKeys } from "../apps/ClientKeys.ts"
import { PublishedJson } from "./PublishedJson.ts"

/** The maximum length of a key set, in bytes. */
const KEY_SET_BYTES = 65_536

/** The maximum number of key sets that a process caches. The least recently used set is evicted. */
const CAPACITY = 1_000

/** The minimum time between two requests for a set that lacks a key or couldn't be fetched, in seconds. */
const COOLDOWN_SECONDS = 30

type Keys = ReadonlyArray<JWK>

interface CachedKeySet {
  readonly key: string
  readonly keys: Keys
  readonly until: DateTime.Utc
  /** The earliest time to fetch the set again because it lacks a key. */
  readonly retryAt: DateTime.Utc
}

type Signer = Pick<OAuthClient, "realmId" | "id" | "jwks" | "jwksUri">

/** Finds the public keys with which OAuth clients sign assertions: those in `jwks`, or those published at `jwks_uri` (C272). */
export class ClientKeySets extends Context.Service<
  ClientKeySets,
  {
    /** Returns the client's keys. Fetches them if the cached copy has expired. Empty if they can't be fetched. */
    find(client: Signer): Effect.Effect<Keys, never, CurrentRealm>
    /**
     * Fetches the client's keys again, after a possible rotation, at most every 30 seconds. Returns undefined if they were not
     * fetched.
     */
    findNewer(client: Signer): Effect.Effect<Keys | undefined, never, CurrentRealm>
  }
>()("sallyport/core/ClientKeySets") {
  static readonly layer = Layer.effect(
    ClientKeySets,
    Effect.gen(function* () {
      const published = yield* PublishedJson
      const cache = new LruMap<string, CachedKeySet>(CAPACITY)

      const keyOf = ({ realmId, id, jwksUri }: Signer) => `${realmId} ${id} ${jwksUri}`

      /** Fetches and caches a key set. If fetching fails, caches `otherwise` until the cooldown is over. */
      const fetch = Effect.fnUntraced(function* (client: Signer, url: string, retryAt: DateTime.Utc, otherwise: Keys) {
        const found = yield* Effect.catch(published.withSlot(published.fetch(url, KEY_SET_BYTES)), () =>
          Effect.succeed(undefined)
        )
        const keys = found === undefined ? otherwise : usableKeys(found.members)
        const seconds = found?.seconds ?? COOLDOWN_SECONDS
        cache.set({ key: keyOf(client), keys, until: DateTime.add(yield* DateTime.now, { seconds }), retryAt })
        return keys
      })

      const find = Effect.fn("ClientKeySets.find")(function* (client: Signer) {
        if (client.jwksUri === null) {
          const stored: Keys = client.jwks === null ? [] : JSON.parse(client.jwks).keys
          return stored
        }
        const known = cache.get(keyOf(client))
        const now = yield* DateTime.now
        if (known !== undefined && DateTime.isLessThan(now, known.until)) return known.keys
        return yield* fetch(client, client.jwksUri, now, [])
      })

      const findNewer = Effect.fn("ClientKeySets.findNewer")(function* (client: Signer) {
        const known = cache.get(keyOf(client))
        const now = yield* DateTime.now
        const mayFetch = known !== undefined && DateTime.isLessThanOrEqualTo(known.retryAt, now)
        if (client.jwksUri === null || !mayFetch) return undefined
        const retryAt = DateTime.add(now, { seconds: COOLDOWN_SECONDS })
        // Store the new time first, so that concurrent calls don't fetch too.
        cache.set({ ...known, retryAt })
        return yield* fetch(client, client.jwksUri, retryAt, known.keys)
      })

      return ClientKeySets.of({ find, findNewer })
    })
  )
}
