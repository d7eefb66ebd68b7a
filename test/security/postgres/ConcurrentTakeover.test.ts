import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { expect, test } from "vitest"
import { logIn, oauth2Double, person } from "../../support/external.ts"
import { authenticate, OTHER_PASSWORD, PASSWORD, refusal } from "../../support/logins.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { type OwnService, serviceAlone } from "../../support/sallyport.ts"

/** Has something wait for rows that are held, does what comes first, and lets it go on: what it came to. */
const meanwhile = async <A>(
  { sql, besideSql }: Pick<OwnService, "sql" | "besideSql">,
  hold: (beside: SqlClient) => Effect.Effect<unknown, unknown>,
  waits: () => Promise<A>,
  first: () => Effect.Effect<unknown, unknown>
): Promise<A> => {
  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const holding = Effect.runPromise(
    besideSql.withTransaction(
      Effect.gen(function* () {
        yield* hold(besideSql)
        held.resolve()
        yield* Effect.promise(() => letGo.promise)
        yield* first()
      })
    )
  )
  await held.promise
  const outcome = waits()
  const waiting = Effect.map(
    sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
    ([row]) => row?.count ?? 0
  )
  while ((await Effect.runPromise(waiting)) === 0) continue
  letGo.resolve()
  await holding
  return outcome
}

test("SEC-85: a change of the password that was under way does not undo a takeover: the password stays locked", () =>
  serviceAlone(async (own) => {
    const realm = await own.given.realm()
    const user = await quickUser(realm)
    const change = { current_password: PASSWORD, password: OTHER_PASSWORD }
    const { result, events } = await realm.seen.during(() =>
      meanwhile(
        own,
        (beside) => beside`select 1 from users where id = ${user.id} for update`,
        () => realm.put(`/v2/users/${user.id}/update_password`, { user: change }),
        () => own.besideSql`update credentials set locked_at = created_at where user_id = ${user.id}`
      )
    )
    expect([...refusal(result), events]).toEqual([422, ["Current password does not match."], []])
    for (const password of [PASSWORD, OTHER_PASSWORD]) {
      expect((await authenticate(realm, user.id, password)).status).toBe(422)
    }
  }))

test("SEC-85, SEC-86: a login by a profile that a takeover has deleted meanwhile lets nobody in", () =>
  serviceAlone(async (own) => {
    const realm = await own.given.realm()
    const { provider } = await oauth2Double(realm, person({ email_verified: false }))
    const first = await logIn(realm, provider.id)
    const id = first.string("user_id")
    const { result, events } = await realm.seen.during(() =>
      meanwhile(
        own,
        (beside) => beside`select 1 from users where id = ${id} for update`,
        () => logIn(realm, provider.id),
        () => own.besideSql`delete from credentials where user_id = ${id} and credential_type = 'oauth2'`
      )
    )
    expect([result.status, events]).toEqual([422, []])
  }))
