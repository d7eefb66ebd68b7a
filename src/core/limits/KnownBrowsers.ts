import { Context, DateTime, Effect, Layer } from "effect"
import type { RealmId, UserId } from "#domain/Ids"
import { CurrentBrowser } from "#domain/Login"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { KnownBrowsersRepo } from "#store/login/KnownBrowsersRepo"
import type { Write } from "#store/statements/Writes"

/** How many days a browser stays known after a login. */
const DAYS = 180

/** The maximum number of users for whom a browser is known. When it is exceeded, the oldest is dropped. */
const MAX_USERS = 4

const FORM = /^[0-9A-Za-z]{43}$/

/** The secrets for a browser's cookie, and its lifetime. */
export interface KnownBrowserSecrets {
  readonly secrets: ReadonlyArray<string>
  readonly seconds: number
}

/**
 * Recognizes, by a cookie, browsers in which users have logged in before. Each known browser has its own count of attempts at
 * its user's password (SEC-108).
 */
export class KnownBrowsers extends Context.Service<
  KnownBrowsers,
  {
    /** Returns the ID of the current browser if it is known for the user. Takes the same time if the user is unknown. */
    find(realmId: RealmId, userId: UserId | undefined): Effect.Effect<string | undefined>
    /**
     * Makes the current browser known for a user who logged in at this time, and gives it a new secret. `writes` are made
     * first, in the same statement.
     */
    remember(
      realmId: RealmId,
      userId: UserId,
      loggedInAt: DateTime.Utc,
      writes?: ReadonlyArray<Write>
    ): Effect.Effect<KnownBrowserSecrets>
  }
>()("sallyport/core/KnownBrowsers") {
  static readonly layer = Layer.effect(
    KnownBrowsers,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const repo = yield* KnownBrowsersRepo

      /** Finds the valid secrets of the current browser and their users, newest last. */
      const findPresented = Effect.fnUntraced(function* (realmId: RealmId) {
        const secrets = (yield* CurrentBrowser).filter((one) => FORM.test(one)).slice(-MAX_USERS)
        const ids = secrets.map((secret) => ({ secret, id: sha256Text(secret) }))
        const now = yield* DateTime.now
        const found = yield* repo.find(
          realmId,
          ids.map(({ id }) => id),
          now
        )
        return ids.flatMap(({ secret, id }) => {
          const userId = found.find((one) => one.id === id)?.user_id
          return userId === undefined ? [] : [{ secret, id, userId }]
        })
      })

      const find = Effect.fnUntraced(function* (realmId: RealmId, userId: UserId | undefined) {
        return (yield* findPresented(realmId)).findLast((one) => one.userId === userId)?.id
      })

      const remember = Effect.fnUntraced(function* (
        realmId: RealmId,
        userId: UserId,
        loggedInAt: DateTime.Utc,
        writes: ReadonlyArray<Write> = []
      ) {
        const all = yield* findPresented(realmId)
        const secret = randomSecret(entropy)
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.add(createdAt, { days: DAYS })
        const before = all.filter((one) => one.userId === userId).map(({ id }) => id)
        const browser = { id: sha256Text(secret), realmId, userId, createdAt, expiresAt }
        yield* repo.replace(writes, before, browser, loggedInAt)
        const others = all.filter((one) => one.userId !== userId).map((one) => one.secret)
        return { secrets: [...others, secret].slice(-MAX_USERS), seconds: DAYS * 86_400 }
      })

      return KnownBrowsers.of({ find, remember })
    })
  )
}
