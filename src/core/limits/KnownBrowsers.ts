import { Context, DateTime, Effect, Layer } from "effect"
import type { RealmId, UserId } from "#domain/Ids"
import { CurrentBrowser } from "#domain/Login"
import { Entropy } from "#platform/Entropy"
import { secretText, sha256Text } from "#platform/Tokens"
import { KnownBrowsersRepo } from "#store/KnownBrowsersRepo"

/** For how long after a login a browser is known. */
const DAYS = 180

/** For how many users a browser is known at once: the oldest is forgotten. */
const MOST_USERS = 4

const FORM = /^[0-9A-Za-z]{43}$/

/** What a browser is given to keep, and for how many seconds. */
export interface KeptBrowser {
  readonly secrets: ReadonlyArray<string>
  readonly seconds: number
}

/** Browsers that users have logged in with, by a cookie: each with its own tries at that user's password (SEC-108). */
export class KnownBrowsers extends Context.Service<
  KnownBrowsers,
  {
    /** The user's browser that the call comes from, by its id. As much work whoever is meant. */
    find(realmId: RealmId, userId: UserId | undefined): Effect.Effect<string | undefined>
    /** Has the browser of the call known for a user who has logged in with it at this time, always under a new secret. */
    remember(realmId: RealmId, userId: UserId, loggedInAt: DateTime.Utc): Effect.Effect<KeptBrowser>
  }
>()("sallyport/core/KnownBrowsers") {
  static readonly layer = Layer.effect(
    KnownBrowsers,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const repo = yield* KnownBrowsersRepo

      /** What the browser keeps, the newest last, and whose it is. */
      const presented = Effect.fnUntraced(function* (realmId: RealmId) {
        const secrets = (yield* CurrentBrowser).filter((one) => FORM.test(one)).slice(-MOST_USERS)
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
        return (yield* presented(realmId)).findLast((one) => one.userId === userId)?.id
      })

      const remember = Effect.fnUntraced(function* (realmId: RealmId, userId: UserId, loggedInAt: DateTime.Utc) {
        const all = yield* presented(realmId)
        const secret = secretText(entropy)
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.add(createdAt, { days: DAYS })
        const before = all.filter((one) => one.userId === userId).map(({ id }) => id)
        yield* repo.replace(before, { id: sha256Text(secret), realmId, userId, createdAt, expiresAt }, loggedInAt)
        const others = all.filter((one) => one.userId !== userId).map((one) => one.secret)
        return { secrets: [...others, secret].slice(-MOST_USERS), seconds: DAYS * 86_400 }
      })

      return KnownBrowsers.of({ find, remember })
    })
  )
}
