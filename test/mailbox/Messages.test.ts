import { expect, test } from "vitest"
import { OUTBOUND_HEADER } from "#platform/Outbound"
import { Api } from "#testing/Api"
import { STARTS_AT } from "#testing/TestSallyport"
import { getWith } from "../support/getWith.ts"
import { createEmailHook, userAwaitingVerification, withMailbox } from "../support/mailbox.ts"
import { query } from "../support/query.ts"
import { service } from "../support/sallyport.ts"

test("stores an email sent by the service completely, and finds it by its recipient", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm({ name: "Acme" })
    const email = await userAwaitingVerification(realm)
    expect((await here.get(`/v2/test/messages?to=${email}`)).body).toEqual({ collection: [], more_results: false })
    await advance("1 minute")
    const reply = await here.get(`/v2/test/messages?to=${email.toUpperCase()}`)
    const [message] = reply.items
    expect(reply.body).toEqual({ collection: [message], more_results: false })
    const link = `http://localhost:3000/realms/${realm.id}/verify?token=tve%3A`
    expect(message).toEqual({
      id: expect.stringMatching(/^ml_[0-9a-z]{26}$/),
      object: "message",
      realm_id: realm.id,
      message_id: expect.stringMatching(/^ent_[0-9a-z]{26}@localhost$/),
      from: "no-reply@id.example.test",
      from_name: "Acme",
      to: email,
      subject: "Confirm your email address for Acme",
      text: expect.stringContaining(link),
      html: expect.stringContaining(link),
      source: expect.stringContaining(`\r\nTo: ${email}\r\n`),
      created_at: expect.any(Number),
      links: [expect.stringMatching(/^http:.*\/verify\?token=tve%3A[0-9A-Za-z]{43}$/)],
      codes: []
    })
    expect(Number(message?.["created_at"])).toBeGreaterThanOrEqual(STARTS_AT / 1_000)
    expect(Number(message?.["created_at"])).toBeLessThanOrEqual(STARTS_AT / 1_000 + 60)
    expect((await here.get(`/v2/test/messages/${String(message?.["id"])}`)).body).toEqual(message)
    const gone = await here.get("/v2/test/messages/ml_00000000000000000000000000")
    expect([gone.status, gone.errors]).toEqual([404, ["Message could not be found."]])
    const event = (await realm.get("/v2/events?event_type=user.email.verifying")).items[0]
    expect((await realm.get(`/v2/events/${String(event?.["id"])}`)).member("notifications", 0)).toMatchObject({
      state: "completed",
      last_destination: email,
      last_result: "Stored in the local mailbox."
    })
  }))

test("lists the newest emails first, and filters them by recipient, realm and time", () =>
  withMailbox(async ({ given, here, advance }) => {
    const [realm, other] = [await given.realm(), await given.realm()]
    const emails: Array<string> = []
    for (let n = 0; n < 3; n += 1) {
      emails.unshift(await userAwaitingVerification(realm))
      await advance("1 minute")
    }
    const elsewhere = await userAwaitingVerification(other)
    await advance("1 minute")
    const recipients = async (query: string) => {
      const { items, ...reply } = await here.get(`/v2/test/messages?${query}`)
      return [items.map(({ to }) => to), JSON.parse(reply.text).more_results]
    }
    const ids = (await here.get(`/v2/test/messages?realm_id=${realm.id}`)).items.map(({ id }) => String(id))
    expect(ids).toHaveLength(3)
    expect(await recipients(`realm_id=${realm.id}`)).toEqual([emails, false])
    expect(await recipients(`realm_id=${realm.id}&max_results=2`)).toEqual([emails.slice(0, 2), true])
    expect(await recipients(`realm_id=${realm.id}&max_results=2&after=${ids[1]}`)).toEqual([emails.slice(2), false])
    expect(await recipients(`to=${elsewhere}`)).toEqual([[elsewhere], false])
    expect(await recipients(`to=${elsewhere}&realm_id=${realm.id}`)).toEqual([[], false])
    const first = (await here.get(`/v2/test/messages?to=${emails[2]}`)).items[0]?.["created_at"]
    expect(await recipients(`realm_id=${realm.id}&created_at_after=${String(first)}`)).toEqual([
      emails.slice(0, 2),
      false
    ])

    expect((await here.delete(`/v2/test/messages?to=${emails[0]}`)).status).toBe(204)
    expect(await recipients(`realm_id=${realm.id}`)).toEqual([emails.slice(1), false])
    expect((await here.delete(`/v2/test/messages?realm_id=${realm.id}`)).status).toBe(204)
    expect(await recipients(`realm_id=${realm.id}`)).toEqual([[], false])
    expect(await recipients(`to=${elsewhere}`)).toEqual([[elsewhere], false])
  }))

test("a request with wait returns when an email arrives, or an empty list after the wait", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm()
    const email = await userAwaitingVerification(realm)
    const began = performance.now()
    expect((await here.get("/v2/test/messages?to=nobody@example.test&wait=1")).items).toEqual([])
    expect(performance.now() - began).toBeGreaterThan(990)

    const waiting = here.get(`/v2/test/messages?to=${email}&wait=30`)
    await new Promise((done) => setTimeout(done, 100))
    await advance("1 hour")
    const came = performance.now()
    expect((await waiting).items.map(({ to }) => to)).toEqual([email])
    expect(performance.now() - came).toBeLessThan(10_000)
    expect((await here.get(`/v2/test/messages?to=${email}&wait=30`)).items).toHaveLength(1)
  }))

test("a request with newer_than returns the next email after the last email seen", () =>
  withMailbox(async ({ given, here, advance, clock }) => {
    const realm = await given.realm()
    const email = await userAwaitingVerification(realm)
    await advance("1 minute")
    const path = `/v2/test/messages?to=${email}`
    const [first] = (await here.get(path)).items
    const before = clock.currentTimeMillisUnsafe()
    const seen = `newer_than=${String(first?.["id"])}`
    expect((await here.get(`${path}&${seen}`)).items).toEqual([])
    const waiting = here.get(`${path}&${seen}&wait=30`)
    const { id } = await realm.get(`/v2/users/${email}`)
    expect((await realm.post(`/v2/users/${id}/request_email_verification`, {})).status).toBe(200)
    await advance(0)
    const [second, ...others] = (await waiting).items
    expect([others, clock.currentTimeMillisUnsafe()]).toEqual([[], before])
    expect((await here.get(path)).items).toEqual([second, first])
    expect((await here.get(`${path}&newer_than=`)).items).toEqual([second, first])
    // A deleted email can still be used with newer_than.
    expect((await here.delete(path)).status).toBe(204)
    expect((await here.get(`${path}&${seen}`)).body).toEqual({ collection: [], more_results: false })
    for (const wrong of ["x", realm.id]) {
      const reply = await here.get(`${path}&newer_than=${wrong}`)
      expect([reply.status, reply.errors]).toEqual([422, ["Newer than is not valid."]])
    }
  }))

test("accepts parameters in brackets, and in the body of a DELETE", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm()
    const [one, other] = [await userAwaitingVerification(realm), await userAwaitingVerification(realm)]
    await advance("1 minute")
    const recipients = async (query: string) => (await here.get(`/v2/test/messages?${query}`)).items.map(({ to }) => to)
    expect(await recipients(`to[]=${one}`)).toEqual([one])
    expect((await here.get(`/v2/test/messages?towards[]=${one}`)).status).toBe(422)
    expect((await here.call("DELETE", "/v2/test/messages", { body: { to: one } })).status).toBe(204)
    expect(await recipients(`realm_id=${realm.id}`)).toEqual([other])
    expect((await here.delete(`/v2/test/messages?to[]=${other}`)).status).toBe(204)
    expect(await recipients(`realm_id=${realm.id}`)).toEqual([])
  }))

test("accepts 0 to 30 whole seconds for wait and 1 to 100 for max_results", () =>
  withMailbox(async ({ here }) => {
    for (const query of ["wait=31", "wait=-1", "wait=x", "wait=1.5", "max_results=101", "max_results=0"]) {
      expect([query, (await here.get(`/v2/test/messages?${query}`)).status]).toEqual([query, 422])
    }
  }))

test("finds codes in an email, and shows the sender's name", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm()
    await createEmailHook(realm, {
      email_renderer: "text",
      email_from: "shop@example.test",
      email_from_name: "The Shop",
      email_subject: "Hi",
      email_template: "Your code is 123456: https://shop.test/?c=654321"
    })
    const user = await realm.user()
    await advance("1 minute")
    const [message] = (await here.get(`/v2/test/messages?to=${user.string("email")}`)).items
    expect(message).toMatchObject({
      from: "shop@example.test",
      from_name: "The Shop",
      html: null,
      links: ["https://shop.test/?c=654321"],
      codes: ["123456"]
    })
  }))

test("SEC-248: shows emails only to the local machine or to a key of level admin_all_realms", () =>
  withMailbox(async ({ url, transport, key, given }) => {
    const realm = await given.realm()
    const admin = await realm.as("admin_realm")
    for (const path of ["/v2/test/messages", "/v2/test/messages/x", "/mailbox", "/mailbox/x", "/mailbox/x/html"]) {
      const status = async (headers: Readonly<Record<string, string>>) => (await getWith(url + path, headers)).status
      const there = path.endsWith("messages") || path.endsWith("mailbox") ? 200 : 404
      expect([path, await status({})]).toEqual([path, there])
      for (const headers of [{ authorization: "Bearer nonsense" }, { "x-service-api-key": "nonsense" }]) {
        expect([path, await status(headers)]).toEqual([path, 401])
      }
      expect(await status({ authorization: `Bearer ${admin.key}` })).toBe(403)
      expect(await status({ authorization: `Bearer ${key}` })).toBe(there)
      expect([path, await status({ [OUTBOUND_HEADER]: "1" })]).toEqual([path, 401])
      for (const elsewhere of [{ host: "id.example.test" }, { "x-forwarded-for": "127.0.0.1" }]) {
        expect([path, await status(elsewhere)]).toEqual([path, 401])
        expect(await status({ ...elsewhere, authorization: "Bearer nonsense" })).toBe(401)
        expect(await status({ ...elsewhere, authorization: `Bearer ${admin.key}` })).toBe(403)
        expect(await status({ ...elsewhere, authorization: `Bearer ${key}` })).toBe(there)
      }
    }
    expect(
      (await new Api(transport, undefined).get("/v2/test/messages")).headers.get("access-control-allow-origin")
    ).toBeNull()
  }))

test("returns 404 for the mailbox if emails are sent elsewhere", async () => {
  const { given } = await service()
  for (const path of ["/v2/test/messages", "/v2/test/messages/x", "/mailbox", "/mailbox/x", "/mailbox/x/html"]) {
    expect([path, (await given.root.get(path)).status]).toEqual([path, 404])
  }
})

test("SEC-82: stores no plain token in the database, and deletes a realm's emails with the realm", () =>
  withMailbox(async ({ given, here, advance, sql }) => {
    const realm = await given.realm()
    const email = await userAwaitingVerification(realm)
    await advance("1 minute")
    const [message] = (await here.get(`/v2/test/messages?to=${email}`)).items
    const token = /tve%3A(\w{43})/.exec(String(message?.["links"]))?.[1] ?? "none"
    const rows = await query(sql<{ line: string }>`select m::text as line from mails m where realm_id = ${realm.id}`)
    expect(rows).toHaveLength(1)
    for (const text of [token, "Confirm", Buffer.from(token).toString("base64").slice(0, 40)]) {
      expect(rows[0]?.line).not.toContain(text)
    }
    await given.root.delete(`/v2/realms/${realm.id}`)
    await advance("1 minute")
    expect((await here.get(`/v2/test/messages?to=${email}`)).items).toEqual([])
  }))
