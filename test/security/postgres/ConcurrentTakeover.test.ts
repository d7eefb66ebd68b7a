import type { Effect } from "effect"
import { expect, test } from "vitest"
import { logIn, oauth2StandIn, profile } from "../../support/external.ts"
import { awaitBlockedConnection, holdLocks } from "../../support/locks.ts"
import { authenticate, OTHER_PASSWORD, PASSWORD, statusAndErrors } from "../../support/logins.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { isolatedService, type OwnService } from "../../support/sallyport.ts"

/** Makes a request wait for a locked user row, runs `change`, releases the lock and returns the response. */
const withConcurrentChange = async <A>(
  own: OwnService,
  userId: string,
  request: () => Promise<A>,
  change: Effect.Effect<unknown, unknown>
): Promise<A> => {
  const locks = await holdLocks(own, own.otherSql`select 1 from users where id = ${userId} for update`, change)
  const outcome = request()
  await awaitBlockedConnection(own)
  await locks.release()
  return outcome
}

test("SEC-85: a concurrent password change doesn't undo the owner's recovery of the account", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const user = await quickUser(realm)
    const change = { current_password: PASSWORD, password: OTHER_PASSWORD }
    const { result, events } = await realm.seen.during(() =>
      withConcurrentChange(
        own,
        user.id,
        () => realm.put(`/v2/users/${user.id}/update_password`, { user: change }),
        own.otherSql`update credentials set locked_at = created_at where user_id = ${user.id}`
      )
    )
    expect([...statusAndErrors(result), events]).toEqual([422, ["Current password does not match."], []])
    for (const password of [PASSWORD, OTHER_PASSWORD]) {
      expect((await authenticate(realm, user.id, password)).status).toBe(422)
    }
  }))

test("SEC-85, SEC-86: a login with a provider profile that a concurrent recovery deleted is rejected", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const { provider } = await oauth2StandIn(realm, profile({ email_verified: false }))
    const first = await logIn(realm, provider.id)
    const id = first.string("user_id")
    const { result, events } = await realm.seen.during(() =>
      withConcurrentChange(
        own,
        id,
        () => logIn(realm, provider.id),
        own.otherSql`delete from credentials where user_id = ${id} and credential_type = 'oauth2'`
      )
    )
    expect([result.status, events]).toEqual([422, []])
  }))
