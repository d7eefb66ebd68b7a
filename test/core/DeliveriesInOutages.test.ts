import { expect, test } from "vitest"
import { emailHook, notificationFor, webhook } from "../support/hooks.ts"
import { PASSWORD } from "../support/logins.ts"
import { withBrokenStatements } from "../support/lostResponses.ts"
import { storedClient, storedGrant } from "../support/oauthGrants.ts"
import { isolatedService } from "../support/sallyport.ts"

const claim = /update deliveries d set attempts = d\.attempts \+ 1/
const record = /update deliveries d set state = f\.state/
const countMail = /update deliveries set last_destination/
const claimNotice = /update oauth_logouts l set attempts = l\.attempts \+ 1/
const forgetNotice = /delete from oauth_logouts where realm_id/

// Each test waits until its service notices that the database is back, so the tests run concurrently.
test.concurrent("RG-06, C245: a webhook posted during a database outage is recorded afterwards without another post", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const hook = await webhook(realm, { event_type: ["org.created"] })
    const destination = String(Object(hook.body)["destination"])
    for (const broken of [
      [{ statement: record, carriedOut: true }],
      [
        { statement: claim, carriedOut: true },
        { statement: record, carriedOut: false }
      ]
    ]) {
      own.receiver.clear()
      const org = await realm.org()
      const { layer, left } = withBrokenStatements(...broken)
      await own.advance("1 second", layer)
      expect(left).toEqual([])
      const [event] = (await realm.get(`/v2/events?event_type=org.created&org_id=${org.id}`)).items
      expect(own.receiver.to(destination)).toHaveLength(1)
      expect(await notificationFor(realm, String(event?.["id"]), hook.id)).toMatchObject({
        state: "completed",
        attempts: 1
      })
    }
  }))

test.concurrent("C245: an email interrupted by a database outage is sent exactly once when the database is back", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const hook = await emailHook(realm)
    const user = await realm.user()
    await own.advance("1 second")
    const before = own.postbox.mails.length
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
    const { layer, left } = withBrokenStatements({ statement: countMail, carriedOut: false })
    await own.advance("1 second", layer)
    expect(left).toEqual([])
    expect(own.postbox.mails.slice(before).map(({ to }) => to)).toEqual([Object(user.body)["email"]])
    const [event] = (await realm.get(`/v2/events?event_type=user.updated&user_id=${user.id}`)).items
    expect(await notificationFor(realm, String(event?.["id"]), hook.id)).toMatchObject({
      state: "completed",
      attempts: 1
    })
  }))

test.concurrent("C245: a client is notified of a logout once, despite database outages before and after", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm({ jwt_algo: "rs256" })
    const user = await realm.user({ password: PASSWORD })
    const session = await realm.session(user.id)
    const uri = "https://outage.example.test/backchannel"
    const client = await storedClient(own.sql, realm, { backchannel: uri })
    await storedGrant(own.sql, realm, client, user.id, {
      sid: session.id,
      currentTime: own.clock.currentTimeMillisUnsafe()
    })
    await realm.delete(`/v2/sessions/${session.id}`)
    const { layer, left } = withBrokenStatements(
      { statement: claimNotice, carriedOut: true },
      { statement: forgetNotice, carriedOut: false }
    )
    await own.advance("1 second", layer)
    expect(left).toEqual([])
    expect(own.receiver.to(uri)).toHaveLength(1)
    await own.advance("1 hour")
    expect(own.receiver.to(uri)).toHaveLength(1)
  }))
