import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { emailHook, latest, receiverResponse, turnedRealm, webhook, withAccountHook } from "../support/hooks.ts"
import { PASSWORD } from "../support/logins.ts"

const idsIn = (reply: Reply) => reply.items.map(({ id }) => id)

test("C205: a hook's notifications are listed newest first, each with its event", async () => {
  const { realm, receiver, advance } = await turnedRealm()
  const hook = await webhook(realm, { event_type: ["org.created"] })
  await webhook(realm, { event_type: ["org.created"] })
  const path = `/v2/hooks/${hook.id}/notifications`
  await realm.org()
  await advance(0)
  receiver.answer(hook.string("destination"), () => receiverResponse(500, "Oops"))
  await realm.org()
  await advance(0)
  const { eventId, notifications } = await latest(realm, "org.created")
  const event = await realm.get(`/v2/events/${eventId}`)
  const { result, events } = await realm.seen.during(() => realm.get(path))
  expect([result.status, events, result.member("more_results")]).toEqual([200, [], false])
  expect(result.items.map(({ state }) => state)).toEqual(["in_progress", "completed"])
  expect(result.items[0]).toEqual({
    ...notifications.find(({ hook_id }) => hook_id === hook.id),
    last_result: "HTTP 500\nOops",
    realm_id: realm.id,
    event_id: eventId,
    event_type: "org.created",
    event_at: event.member("event_at")
  })
  const [newest, oldest] = idsIn(result)
  expect(idsIn(await realm.get(`${path}?max_results=1`))).toEqual([newest])
  expect(idsIn(await realm.get(`${path}?max_results=1&after=${String(newest)}`))).toEqual([oldest])
  expect(idsIn(await realm.get(`${path}?direction=asc`))).toEqual([oldest, newest])
  for (const [state, ids] of [
    ["completed", [oldest]],
    ["in_progress", [newest]],
    ["failed", []]
  ]) {
    expect(idsIn(await realm.get(`${path}?state=${String(state)}`))).toEqual(ids)
  }
  const other = await realm.get("/v2/hooks?hook_type=webhook&direction=desc&max_results=1")
  const strange = await realm.get(`/v2/hooks/${String(idsIn(other)[0])}/notifications?after=nonsense`)
  expect([strange.status, strange.string("error_details", 0, "field")]).toEqual([404, "after"])
  expect((await realm.get(`${path}?state=lost`)).status).toBe(422)
})

test("SEC-206: a notification shows its request without the signature, and its token only to level write", async () => {
  const { realm, receiver, advance, now } = await turnedRealm()
  const hook = await webhook(realm, { event_type: ["user.password.resetting"] })
  const user = await realm.user({ password: PASSWORD })
  await realm.post(`/v2/users/${user.id}/generate_password_token`, {})
  await advance(0)
  const [posted] = receiver.to(hook.string("destination"))
  const [item] = (await realm.get(`/v2/hooks/${hook.id}/notifications`)).items
  const path = `/v2/hooks/${hook.id}/notifications/${String(item?.["id"])}`
  const { result, events } = await realm.seen.during(() => realm.get(path))
  const { "webhook-signature": signature, ...headers } = posted?.headers ?? {}
  expect(signature).toMatch(/^v1,/)
  const request = {
    method: "POST",
    url: hook.string("destination"),
    headers: { ...headers, "webhook-timestamp": String(Math.floor(now())) },
    body: posted?.body
  }
  expect([result.status, result.body, events]).toEqual([200, { ...item, request }, []])
  expect(JSON.parse(String(posted?.body))).toMatchObject({ token: expect.stringMatching(/./) })
  expect((await (await realm.as("write")).get(path)).body).toEqual({ ...item, request })
  const read = await (await realm.as("read")).get(path)
  const { token: _token, ...tokenless } = JSON.parse(String(posted?.body))
  expect(JSON.parse(read.string("request", "body"))).toEqual({ ...tokenless, token: null })
  expect(read.text).not.toContain(hook.string("secret"))
})

test("SEC-206: notifications of a hook for all realms are visible only to admin_all_realms", async () => {
  const { realm, given, advance } = await turnedRealm()
  await withAccountHook(given.root, { event_type: ["org.created"] }, async (everywhere) => {
    await realm.org()
    await advance(0)
    const path = `/v2/hooks/${everywhere.id}/notifications`
    const { items } = await given.root.get(path)
    expect(items.map(({ realm_id, state }) => [realm_id, state])).toEqual([[realm.id, "completed"]])
    const one = `${path}/${String(items[0]?.["id"])}`
    expect((await given.root.get(one)).string("request", "url")).toBe(everywhere.string("destination"))
    for (const at of [path, one]) expect((await (await realm.as("admin_realm")).get(at)).status).toBe(404)
  })
})

test("C205: the failed notifications of all hooks of a realm are listed newest first", async () => {
  const { realm, receiver, postbox, advance } = await turnedRealm()
  const gone = await webhook(realm, { event_type: ["org.created"] })
  const mails = await emailHook(realm)
  await webhook(realm, { event_type: ["user.updated"] })
  receiver.answer(gone.string("destination"), () => receiverResponse(410))
  await realm.org()
  await advance(0)
  const user = await realm.user()
  postbox.refuse(user.string("email"), { message: "550 No such mailbox.", isFinal: true })
  await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
  await advance(0)
  const summaries = (reply: Reply) =>
    reply.items.map(({ hook_id, state, last_result }) => [hook_id, state, last_result])
  const mail = [mails.id, "failed", "550 No such mailbox."]
  const post = [gone.id, "failed", "HTTP 410"]
  const { result, events } = await realm.seen.during(() => realm.get("/v2/notifications?state=failed"))
  expect([result.status, summaries(result), events]).toEqual([200, [mail, post], []])
  const [newest] = idsIn(result)
  expect(summaries(await realm.get(`/v2/notifications?after=${String(newest)}`))).toEqual([post])
  expect(summaries(await realm.get("/v2/notifications?hook_type=email&direction=asc"))).toEqual([mail])
  const read = await realm.get(`/v2/hooks/${mails.id}/notifications/${String(newest)}`)
  expect(read.body).toEqual({ ...result.items[0], request: null })
  expect((await realm.get("/v2/notifications?state=completed")).status).toBe(422)
})
