import { describe, expect, expectTypeOf, test } from "vitest"
import {
  InvalidWebhook,
  verifyWebhook,
  type WebhookEvents,
  type WebhookEventType,
  type WebhookRequest
} from "#client/Webhook"
import { type EventType, eventTypes } from "#domain/Event"
import { turnedRealm, webhook } from "../support/hooks.ts"
import { postedWebhook, requestOf } from "./PostedWebhook.ts"

/** The reason for rejecting a webhook. */
const reason = async (request: WebhookRequest): Promise<string> => {
  const error = await verifyWebhook(request).then(
    () => "accepted",
    (thrown: unknown) => thrown
  )
  if (error instanceof InvalidWebhook) {
    expect(error.message).toMatch(/\.$|\?$/)
    return error.reason
  }
  return String(error)
}

describe("verifyWebhook", () => {
  test("returns the event that the service posted, from text or bytes and any type of headers", async () => {
    const { post, secret, user } = await postedWebhook()
    const bytes = new TextEncoder().encode(post.body)
    // A view into a larger buffer, like Node's pooled buffers.
    const pooled = new Uint8Array(bytes.length + 20)
    pooled.set(bytes, 10)
    const bodies = [post.body, bytes, bytes.buffer, Buffer.from(post.body), pooled.subarray(10, 10 + bytes.length)]
    for (const body of bodies) {
      const event = await verifyWebhook({ ...requestOf(post, secret), body })
      expect(event).toStrictEqual(JSON.parse(post.body))
      if (event.event_type === "user.created") {
        expectTypeOf(event.user_id).toEqualTypeOf<string>()
        expect(event.user_id).toBe(user.id)
      } else expect.fail(event.event_type)
    }
    const pairs = Object.entries(post.headers)
    const kinds = [
      new Headers(pairs),
      Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), value])),
      Object.fromEntries(pairs.map(([name, value]) => [name, [value]]))
    ]
    for (const headers of kinds) expect(await reason({ ...requestOf(post, secret), headers })).toBe("accepted")
  })

  test("SEC-70: rejects a message that was changed, is not signed by the service, or lacks a header", async () => {
    const { post, secret } = await postedWebhook()
    const message = requestOf(post, secret)
    const { headers, body } = post
    const reasonFor = (changed: Readonly<Record<string, string>>, text = body) =>
      reason({ ...message, body: text, headers: { ...headers, ...changed } })
    expect(await reasonFor({}, `${body} `)).toBe("wrong_signature")
    expect(await reasonFor({}, body.replace("user.created", "user.deleted"))).toBe("wrong_signature")
    expect(await reasonFor({ "webhook-id": "ent_x" })).toBe("wrong_signature")
    expect(await reasonFor({ "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 1) })).toBe(
      "wrong_signature"
    )
    const signature = headers["webhook-signature"] ?? ""
    const wrong = ["v1,AAAA", `v1,${btoa("x".repeat(32))}`, `v1a,${signature.slice(3)}, v1,`, signature.slice(0, -8)]
    for (const one of wrong)
      expect(await reasonFor({ "webhook-signature": one }), one).toMatch(/^wrong_signature|malformed_/)
    for (const one of ["x", "v2,AAAA", "v1,%"])
      expect(await reasonFor({ "webhook-signature": one }), one).toBe("malformed_header")
    // One valid signature anywhere in the list suffices.
    expect(await reasonFor({ "webhook-signature": `v2,x v1,AAAA ${signature}` })).toBe("accepted")
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      expect(await reasonFor({ [name]: "" })).toBe("missing_header")
      expect(await reason({ ...message, headers: {} })).toBe("missing_header")
    }
    for (const time of ["soon", "1e9", "-1", "9".repeat(13)])
      expect(await reasonFor({ "webhook-timestamp": time })).toBe("malformed_header")
  })

  test("rejects a message more than five minutes old or from the future by default", async () => {
    const { post, secret } = await postedWebhook()
    const sent = Number(post.headers["webhook-timestamp"]) * 1_000
    const after = (seconds: number, tolerance?: number) =>
      reason({
        ...requestOf(post, secret),
        now: () => new Date(sent + seconds * 1_000),
        ...(tolerance === undefined ? {} : { tolerance })
      })
    expect(await Promise.all([after(300), after(301), after(-300), after(-301)])).toEqual([
      "accepted",
      "too_old",
      "accepted",
      "too_new"
    ])
    expect(await Promise.all([after(61, 60), after(600, 600)])).toEqual(["too_old", "accepted"])
    // By the machine's own clock, this message expired long ago.
    const { now: _, ...message } = requestOf(post, secret)
    expect(await reason(message)).toMatch(/^too_/)
  })

  test("accepts the current time as a Date or in milliseconds, and rejects other types", async () => {
    const { post, secret } = await postedWebhook()
    const sent = Number(post.headers["webhook-timestamp"]) * 1_000
    const by = (time: Date | number) => reason({ ...requestOf(post, secret), now: () => time })
    expect(await Promise.all([by(sent), by(sent + 301_000)])).toEqual(["accepted", "too_old"])
    for (const time of [sent / 1_000, Number.NaN, new Date(Number.NaN)])
      expect(await by(time)).toMatch(/^TypeError: now must return the current time/)
  })

  test("accepts messages signed with either secret during a rotation", async () => {
    const { realm, receiver, advance, hook, post, secret } = await postedWebhook()
    const next = (await realm.post(`/v2/hooks/${hook.id}/rotate_secret`, {})).string("secret")
    await realm.user()
    await advance(0)
    const during = receiver.to(hook.string("destination")).at(-1) ?? post
    for (const known of [secret, next, [secret, next]]) expect(await reason(requestOf(during, known))).toBe("accepted")
    expect(await reason(requestOf(post, next))).toBe("wrong_signature")
    expect(await reason(requestOf(post, [next, secret]))).toBe("accepted")
  })

  test("distinguishes a mistake in the app from an invalid message", async () => {
    const { post } = await postedWebhook()
    for (const secret of ["", "whsec_", "whsec_%", "sk_x", []])
      expect(await reason(requestOf(post, secret))).toMatch(/^TypeError/)
    expect(await reason(requestOf(post, `whsec_${btoa("x".repeat(32))}`))).toBe("wrong_signature")
  })

  test("recognizes test messages", async () => {
    const { realm, receiver } = await turnedRealm()
    const hook = await webhook(realm)
    expect((await realm.post(`/v2/hooks/${hook.id}/ping`, {})).string("state")).toBe("completed")
    const post = receiver.to(hook.string("destination")).at(-1)
    if (post === undefined) throw new Error("Nothing was posted.")
    expect(await verifyWebhook(requestOf(post, hook.string("secret")))).toMatchObject({
      event_type: "hook.ping",
      hook_id: hook.id
    })
  })

  test("has exactly one type for each event type of the service", () => {
    expectTypeOf<Exclude<WebhookEventType, "hook.ping">>().toEqualTypeOf<EventType>()
    expectTypeOf<WebhookEvents["membership.updated"]["changed"]>().toEqualTypeOf<ReadonlyArray<string>>()
    expectTypeOf<WebhookEvents["membership.updated"]["membership_id"]>().toEqualTypeOf<string>()
    expectTypeOf<WebhookEvents["org.created"]["user_id"]>().toEqualTypeOf<string | undefined>()
    expect(eventTypes.length).toBeGreaterThan(0)
  })
})
