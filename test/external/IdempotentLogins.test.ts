import { randomUUID } from "node:crypto"
import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { ACCESS_TOKEN, oauth2StandIn, profile, stateFor } from "../support/external.ts"
import { receiverResponse, webhook } from "../support/hooks.ts"
import { query } from "../support/query.ts"
import { receiver } from "../support/receivers.ts"
import { ownService, service } from "../support/sallyport.ts"
import type { ScriptedResponse } from "../support/standIns.ts"

const IN_PROGRESS = "A request with this Idempotency-Key is still being processed. Try again in a moment."

const granted = { access_token: ACCESS_TOKEN, token_type: "Bearer", expires_in: 3600 }

/** A response that waits until the test releases it, and a promise for its request. */
const delayedResponse = (say: unknown) => {
  const received = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const answering: ScriptedResponse = async () => {
    received.resolve()
    await goOn.promise
    return say
  }
  return { answering, asked: received.promise, goOn: goOn.resolve }
}

const useAnotherRealm = async (own: Pick<Awaited<ReturnType<typeof service>>, "given">) => {
  const other = await own.given.realm()
  const write = await other.post("/v2/orgs", { org: { name: uniqueText("Org") } }, { "idempotency-key": randomUUID() })
  const read = await other.get(`/v2/orgs/${write.id}`)
  return [write.status, read.status]
}

const isReplay = (reply: { readonly headers: Headers }) => reply.headers.get("idempotency-replayed")

describe("SEC-87: a slow provider login with an Idempotency-Key", () => {
  const entryPoints = [
    ["v2 by code", "/v2/auth_providers/authorize", "token", granted, 201],
    ["v1 by code", "/v1/auth_providers/authorize", "token", granted, 200],
    ["v2 by access token", "/v2/auth_providers/:id/authorize", "profile", undefined, 201],
    ["v1 by access token", "/v1/auth_providers/:id/authorize", "profile", undefined, 200]
  ] as const

  test.each(
    entryPoints
  )("SEC-87: %s: blocks no other requests, and a repeat gets 409 and then the stored response", async (_, template, endpoint, say, status) => {
    const own = await service()
    const realm = await own.given.realm()
    const told = profile()
    const delayed = delayedResponse(say ?? told)
    const { provider, double } = await oauth2StandIn(realm, told, {}, { [endpoint]: delayed.answering })
    const path = template.replace(":id", provider.id)
    const body = { code: "a-code", access_token: ACCESS_TOKEN, state: await stateFor(realm, provider.id) }
    const key = randomUUID()
    const send = (asked: unknown = body) => realm.post(path, asked, { "idempotency-key": key })

    const { result, events } = await realm.seen.during(async () => {
      const first = send()
      await delayed.asked
      expect(await useAnotherRealm(own)).toEqual([201, 200])
      const repeat = await send()
      expect([repeat.status, repeat.errors]).toEqual([409, [IN_PROGRESS]])
      expect(Number(repeat.headers.get("retry-after"))).toBeGreaterThan(0)
      expect((await send({ ...body, code: "another" })).status).toBe(422)
      delayed.goOn()
      return first
    })
    const user_id = expect.stringMatching(/^usr_/)
    expect([result.status, isReplay(result), events.length]).toEqual([status, null, 2])
    expect(events).toEqual([
      { event_type: "user.created", user_id },
      { event_type: "user.login.succeeded", user_id, session_id: expect.stringMatching(/^kss_/) }
    ])
    const again = await realm.seen.during(() => send())
    expect([again.result.text, isReplay(again.result), again.events]).toEqual([result.text, "true", []])
    expect(double.at(endpoint).length).toBe(1)
  })

  test("SEC-87: blocks no other realm, even when many logins run at once", async () => {
    const own = await service()
    const realm = await own.given.realm()
    const delayed = delayedResponse(granted)
    const { provider } = await oauth2StandIn(realm, profile(), {}, { token: delayed.answering })
    const states = await Promise.all(Array.from({ length: 20 }, () => stateFor(realm, provider.id)))
    const send = (by: GivenRealm, state: string) =>
      by.post("/v2/auth_providers/authorize", { code: "a-code", state }, { "idempotency-key": randomUUID() })
    const waiting = states.map((state) => send(realm, state))
    await delayed.asked
    expect(await useAnotherRealm(own)).toEqual([201, 200])
    const other = await own.given.realm()
    const quick = await oauth2StandIn(other, profile())
    expect((await send(other, await stateFor(other, quick.provider.id))).status).toBe(201)
    delayed.goOn()
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201]))
  })

  test("SEC-87: runs only once even if the caller disconnects and repeats the request", async () => {
    const { given } = await service()
    const realm = await given.realm()
    const delayed = delayedResponse(granted)
    const { provider } = await oauth2StandIn(realm, profile(), {}, { token: delayed.answering })
    const [key, state] = [randomUUID(), await stateFor(realm, provider.id)]
    const path = "/v2/auth_providers/authorize"
    const leaving = new AbortController()
    const left = fetch(realm.url + path, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${realm.key}`,
        "x-service-realm": realm.id,
        "content-type": "application/json",
        "idempotency-key": key
      },
      body: JSON.stringify({ code: "a-code", state })
    })
    await delayed.asked
    leaving.abort()
    await expect(left).rejects.toThrow()
    const send = () => realm.post(path, { code: "a-code", state }, { "idempotency-key": key })
    expect((await send()).status).toBe(409)
    const { result, events } = await realm.seen.during(async () => {
      delayed.goOn()
      let again = await send()
      while (again.status === 409) again = await send()
      return again
    })
    expect([result.status, isReplay(result)]).toEqual([201, "true"])
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.created", "user.login.succeeded"])
  })
})

describe("SEC-87: a slow ping with an Idempotency-Key", () => {
  test("SEC-87: blocks no other requests, and a repeat gets 409 and then the stored response", () =>
    ownService(
      async (own) => {
        const realm = await own.given.realm()
        const asked = Promise.withResolvers<void>()
        const goOn = Promise.withResolvers<void>()
        const there = await receiver((_, response) => {
          asked.resolve()
          void goOn.promise.then(() => response.end("pong"))
        })
        const hook = await webhook(realm, { destination: `http://127.0.0.1:${there.port}/` })
        const key = randomUUID()
        const send = () => realm.post(`/v2/hooks/${hook.id}/ping`, {}, { "idempotency-key": key })
        const first = send()
        await asked.promise
        expect(await useAnotherRealm(own)).toEqual([201, 200])
        expect((await send()).status).toBe(409)
        goOn.resolve()
        const done = await first
        const again = await send()
        expect([done.status, again.text, isReplay(again)]).toEqual([200, done.text, "true"])
        expect(there.requests.length).toBe(1)
        await there.stop()
      },
      { outbound: "real" }
    ))

  test("SEC-87: runs again after a crash, once the lease has expired", () =>
    ownService(async ({ given, clock, receiver: out, sql }) => {
      const realm = await given.realm()
      const hook = await webhook(realm)
      const destination = hook.string("destination")
      out.answer(destination, () => receiverResponse(200, "pong"))
      const key = randomUUID()
      const path = `/v2/hooks/${hook.id}/ping`
      const send = () => realm.post(path, {}, { "idempotency-key": key })
      expect((await send()).status).toBe(200)
      // The state that a crashed node leaves behind.
      const lease = new Date(clock.currentTimeMillisUnsafe() + 60_000)
      const left = sql`update idempotent_requests set status = null, answer = null, leased_until = ${lease}
        where path = ${path}`
      await query(left)
      clock.advance("59 seconds")
      const early = await send()
      expect([early.status, early.errors, early.headers.get("retry-after")]).toEqual([409, [IN_PROGRESS], "1"])
      expect(out.to(destination).length).toBe(1)
      clock.advance("1 second")
      const anew = await send()
      expect([anew.status, isReplay(anew), out.to(destination).length]).toEqual([200, null, 2])
      const again = await send()
      expect([again.text, isReplay(again), out.to(destination).length]).toEqual([anew.text, "true", 2])
    }))
})
