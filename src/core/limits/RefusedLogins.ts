import { Context, DateTime, Effect, Layer } from "effect"
import type { RealmId, UserId } from "#domain/Ids"

/** Logins that were refused without an event of their own. `userId`: who is blocked; null: names that no user has. */
export interface RefusedLogin {
  readonly realmId: RealmId
  readonly userId: UserId | null
  readonly attempts: number
  readonly since: DateTime.Utc
}

/** How many blocked users and realms are counted at once. Attempts beyond that are not recorded. */
const MAX_COUNTED = 10_000

/** For how long attempts are counted before they are recorded. */
const MINUTES = 1

const dueAt = ({ since }: RefusedLogin) => DateTime.add(since, { minutes: MINUTES })

/**
 * Counts logins of blocked users and for unknown names in memory, to be recorded once a minute: as many attempts as somebody
 * sends then make few events, and no response waits for one (C263).
 */
export class RefusedLogins extends Context.Service<
  RefusedLogins,
  {
    note(realmId: RealmId, userId: UserId | null): Effect.Effect<void>
    /** Takes out what was counted for a minute. */
    readonly takeDue: Effect.Effect<ReadonlyArray<RefusedLogin>>
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/core/RefusedLogins") {
  static readonly layer = Layer.sync(RefusedLogins, () => {
    // In the order in which they began.
    const counted = new Map<string, RefusedLogin>()

    return RefusedLogins.of({
      note: Effect.fnUntraced(function* (realmId, userId) {
        const key = `${realmId} ${userId}`
        const before = counted.get(key)
        if (before === undefined && counted.size >= MAX_COUNTED) return
        const since = before?.since ?? (yield* DateTime.now)
        counted.set(key, { realmId, userId, attempts: (before?.attempts ?? 0) + 1, since })
      }),
      takeDue: Effect.map(DateTime.now, (now) => {
        const due = [...counted].filter(([, one]) => !DateTime.isGreaterThan(dueAt(one), now))
        for (const [key] of due) counted.delete(key)
        return due.map(([, one]) => one)
      }),
      nextDue: Effect.sync(() => {
        const [first] = counted.values()
        return first === undefined ? undefined : dueAt(first)
      })
    })
  })
}
