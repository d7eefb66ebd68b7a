import { expect, test } from "vitest"
import { authenticate, PASSWORD, userEvent } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { clockedService } from "../support/sallyport.ts"

test("SEC-08: a login rejected during a block isn't stored for its Idempotency-Key and can succeed later", async () => {
  const { given, advance } = await clockedService()
  const realm = await given.realm()
  const user = await quickUser(realm)
  for (let n = 0; n < 10; n += 1) expect((await authenticate(realm, user.id, `guess ${n}`)).status).toBe(422)
  const keyed = () =>
    realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: PASSWORD } }, { "idempotency-key": "later" })
  expect(await realm.seen.caused(async () => expect((await keyed()).status).toBe(429))).toEqual([])
  await advance("16 minutes")
  const { result, events } = await realm.seen.during(keyed)
  expect([result.status, result.member("user", "id") ?? result.member("id")]).toEqual([200, user.id])
  expect(events).toEqual([{ ...userEvent(user, "login.succeeded"), session_id: expect.stringMatching(/^kss_/) }])
})
