import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { RealmId, UserId } from "#domain/Ids"
import { LoginsOff } from "#domain/Login"
import type { LoginFailure } from "#domain/LoginFailure"
import { CurrentRealm } from "#domain/Realm"

/** Logins that were refused without an event of their own. `userId`: null if no user is known. */
export interface RefusedLogin {
  readonly realmId: RealmId
  readonly userId: UserId | null
  readonly reason: LoginFailure
  readonly attempts: number
  /** What was typed, if the realm has it recorded. */
  readonly names: ReadonlyArray<string>
  readonly since: DateTime.Utc
}

/** How many users and realms are counted at once. Attempts beyond that are not recorded. */
const MAX_COUNTED = 10_000

/** How many different names an event tells, and how much of each. */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 200

/** A name as an event tells it: text that can be stored, on one line. */
const shownName = (typed: string) =>
  typed
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")

const withName = (names: ReadonlyArray<string>, typed: string | undefined): ReadonlyArray<string> =>
  typed === undefined || names.length >= MAX_NAMES ? names : [...new Set([...names, shownName(typed)])]

/** For how long attempts are counted before they are recorded. */
const MINUTES = 1

const dueAt = ({ since }: RefusedLogin) => DateTime.add(since, { minutes: MINUTES })

/**
 * Counts logins that cost nobody a guess in memory, to be recorded once a minute for each user and reason: as many attempts as
 * somebody sends then make few events, and no response waits for one (C260, C278).
 */
export class RefusedLogins extends Context.Service<
  RefusedLogins,
  {
    /** `typed`: a name that nobody has, to be recorded as well. */
    note(realmId: RealmId, userId: UserId | null, reason: LoginFailure, typed?: string): Effect.Effect<void>
    /** Fails since the way to log in is turned off, and notes the user whose login it would have been, if known. */
    methodOff(userId?: UserId): Effect.Effect<never, LoginsOff, CurrentRealm>
    /** Notes the same for a step that fails so before it knows the user. `findUser` then looks who it would have been. */
    whenOff<A, E, R, R2>(
      step: Effect.Effect<A, E, R>,
      findUser: Effect.Effect<UserId | undefined, unknown, R2>
    ): Effect.Effect<A, E, R | R2 | CurrentRealm>
    /** Takes out what was counted for a minute. */
    readonly takeDue: Effect.Effect<ReadonlyArray<RefusedLogin>>
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/core/RefusedLogins") {
  static readonly layer = Layer.sync(RefusedLogins, () => {
    // In the order in which they began.
    const counted = new Map<string, RefusedLogin>()

    const note = Effect.fnUntraced(function* (
      realmId: RealmId,
      userId: UserId | null,
      reason: LoginFailure,
      typed?: string
    ) {
      const key = `${realmId} ${userId} ${reason}`
      const before = counted.get(key)
      if (before === undefined && counted.size >= MAX_COUNTED) return
      const since = before?.since ?? (yield* DateTime.now)
      const names = withName(before?.names ?? [], typed)
      counted.set(key, { realmId, userId, reason, attempts: (before?.attempts ?? 0) + 1, names, since })
    })

    const noteOff = Effect.fnUntraced(function* (userId: UserId | undefined) {
      yield* note((yield* CurrentRealm).id, userId ?? null, "method_off")
    })

    return RefusedLogins.of({
      note,
      methodOff: (userId) => Effect.andThen(noteOff(userId), Effect.fail(new LoginsOff({ why: "provider_inactive" }))),
      whenOff: (step, findUser) =>
        Effect.tapError(step, (error) =>
          error instanceof LoginsOff && error.why === "provider_inactive"
            ? Effect.flatMap(Effect.option(findUser), (found) => noteOff(Option.getOrUndefined(found)))
            : Effect.void
        ),
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
