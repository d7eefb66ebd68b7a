import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { RealmId, UserId } from "#domain/Ids"
import { LoginsOff } from "#domain/Login"
import type { LoginFailure } from "#domain/LoginFailure"
import { CurrentRealm } from "#domain/Realm"

/** Rejected logins for which no event has been recorded yet. `userId` is null if the user is unknown. */
export interface RejectedLogin {
  readonly realmId: RealmId
  readonly userId: UserId | null
  readonly reason: LoginFailure
  readonly attempts: number
  /** The names that were entered, if the realm records them. */
  readonly names: ReadonlyArray<string>
  readonly since: DateTime.Utc
}

/** The maximum number of users and realms counted at a time. Further attempts are not recorded. */
const MAX_COUNTED = 10_000

/** The maximum number of different names in an event, and of characters in each. */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 200

/** A name as shown in events: well-formed text on one line. */
const shownName = (typed: string) =>
  typed
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")

const withName = (names: ReadonlyArray<string>, typed: string | undefined): ReadonlyArray<string> =>
  typed === undefined || names.length >= MAX_NAMES ? names : [...new Set([...names, shownName(typed)])]

/** How long rejected logins are counted before they are recorded, in minutes. */
const MINUTES = 1

const dueAt = ({ since }: RejectedLogin) => DateTime.add(since, { minutes: MINUTES })

/**
 * Counts rejected logins in memory, and records them once a minute for each user and reason. This way, many attempts result in
 * few events, and no response waits for an event to be written (C260, C278). Wrong passwords and codes are counted by
 * `LoginAttempts` instead.
 */
export class RejectedLogins extends Context.Service<
  RejectedLogins,
  {
    /** Counts a rejected login. `typed` is an unknown name to record with it. */
    count(realmId: RealmId, userId: UserId | null, reason: LoginFailure, typed?: string): Effect.Effect<void>
    /** Fails because the login method is turned off, and counts the rejected login for the user, if known. */
    failMethodOff(userId?: UserId): Effect.Effect<never, LoginsOff, CurrentRealm>
    /**
     * Runs a step. If it fails because its login method is turned off, counts the rejected login for the user returned by
     * `findUser`.
     */
    countMethodOff<A, E, R, R2>(
      step: Effect.Effect<A, E, R>,
      findUser: Effect.Effect<UserId | undefined, unknown, R2>
    ): Effect.Effect<A, E, R | R2 | CurrentRealm>
    /** Removes and returns the counts that are at least a minute old. */
    readonly takeDue: Effect.Effect<ReadonlyArray<RejectedLogin>>
    /** The time when the oldest count is due. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/core/RejectedLogins") {
  static readonly layer = Layer.sync(RejectedLogins, () => {
    // Ordered by the time of the first attempt.
    const counts = new Map<string, RejectedLogin>()

    const count = Effect.fnUntraced(function* (
      realmId: RealmId,
      userId: UserId | null,
      reason: LoginFailure,
      typed?: string
    ) {
      const key = `${realmId} ${userId} ${reason}`
      const before = counts.get(key)
      if (before === undefined && counts.size >= MAX_COUNTED) return
      const since = before?.since ?? (yield* DateTime.now)
      const names = withName(before?.names ?? [], typed)
      counts.set(key, { realmId, userId, reason, attempts: (before?.attempts ?? 0) + 1, names, since })
    })

    const noteMethodOff = Effect.fnUntraced(function* (userId: UserId | undefined) {
      yield* count((yield* CurrentRealm).id, userId ?? null, "method_off")
    })

    return RejectedLogins.of({
      count,
      failMethodOff: (userId) =>
        Effect.andThen(noteMethodOff(userId), Effect.fail(new LoginsOff({ why: "provider_inactive" }))),
      countMethodOff: (step, findUser) =>
        Effect.tapError(step, (error) =>
          error instanceof LoginsOff && error.why === "provider_inactive"
            ? Effect.flatMap(Effect.option(findUser), (found) => noteMethodOff(Option.getOrUndefined(found)))
            : Effect.void
        ),
      takeDue: Effect.map(DateTime.now, (now) => {
        const due = [...counts].filter(([, one]) => !DateTime.isGreaterThan(dueAt(one), now))
        for (const [key] of due) counts.delete(key)
        return due.map(([, one]) => one)
      }),
      nextDue: Effect.sync(() => {
        const [first] = counts.values()
        return first === undefined ? undefined : dueAt(first)
      })
    })
  })
}
