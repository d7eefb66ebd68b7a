import { describe, expect, test } from "vitest"
import { partsOf } from "#cli/commands/HooksReplay"
import { momentOf } from "#cli/Since"
import type { GivenRealm } from "#testing/Given"
import { emailHook, webhook } from "../support/hooks.ts"
import { clockedService } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

/** A realm with a webhook on the service with a test clock, and a function that runs hook commands on it. */
const hooked = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const at = await clockedService()
  const realm = await at.given.realm()
  const hook = await webhook(realm, settings)
  const hooks = (...words: ReadonlyArray<string>) => cli(["hooks", ...words], { environment: serviceEnvironment(at) })
  return { ...at, realm, hook, destination: hook.string("destination"), hooks }
}

const seconds = (at: number) => new Date(at).toISOString().slice(0, 19).concat("Z")

const users = async (realm: GivenRealm, count: number) => {
  for (let n = 0; n < count; n += 1) await realm.user()
}

describe("hooks list", () => {
  test("shows hooks with their event types and destinations", async () => {
    const { realm, hook, destination, hooks } = await hooked({
      event_type: ["user.created", "user.updated", "org.created", "org.updated"]
    })
    const { code, out } = await hooks("list", "--realm", realm.id)
    const line = out.split("\n").find((text) => text.startsWith(hook.id))
    expect([code, line?.split(/ {2,}/)]).toEqual([
      0,
      [hook.id, "webhook", "active", realm.id, expect.stringMatching(/^(?:\w+\.\w+, ){3}1 more$/), destination]
    ])
    const listed: ReadonlyArray<{ readonly id: string }> = JSON.parse(
      (await hooks("list", "--realm", realm.id, "--json")).out
    )
    expect(listed.map(({ id }) => id)).toContain(hook.id)
  })

  test("lists webhooks first, or only webhooks", async () => {
    const { realm, hook, hooks } = await hooked()
    const mailed = await emailHook(realm)
    const later = await webhook(realm)
    const ids = async (...words: ReadonlyArray<string>) => {
      const { out } = await hooks("list", "--realm", realm.id, "--json", ...words)
      const listed: ReadonlyArray<{ readonly id: string }> = JSON.parse(out)
      return listed.map(({ id }) => id)
    }
    const subject = (await realm.get(`/v2/hooks/${mailed.id}`)).string("email_subject")
    const line = (await hooks("list", "--realm", realm.id)).out.split("\n").find((text) => text.startsWith(mailed.id))
    expect([subject.length > 0, line?.endsWith(`  ${subject}`)]).toEqual([true, true])
    const all = await ids()
    expect(all.slice(0, 2)).toEqual([hook.id, later.id])
    expect(all.slice(2)).toContain(mailed.id)
    expect(await ids("--type", "webhook")).toEqual([hook.id, later.id])
    expect(await ids("--type", "email")).toEqual(all.slice(2))
  })
})

describe("hooks ping", () => {
  test("reports the destination's response, and exits with 1 if the destination rejects the message", async () => {
    const { hook, destination, receiver, hooks } = await hooked()
    const taken = await hooks("ping", hook.id)
    expect([taken.code, taken.out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${destination} accepted a test message: HTTP 200 \\(\\d\\.\\d s\\)\\.\\n$`))
    ])
    receiver.answer(destination, () => ({ status: 500, retryAfter: undefined, excerpt: "" }))
    const refused = await hooks("ping", hook.id)
    expect([refused.code, refused.out, refused.err]).toEqual([
      1,
      expect.stringMatching(/ did not accept a test message: HTTP 500 /),
      expect.stringContaining("The test message was not accepted.")
    ])
    const { err } = await hooks("ping", "hk_00000000000000000000000000")
    expect(err).toContain("could not be found.")
    expect(err).toContain("Check the ID: sallyport hooks list shows what exists.")
  })
})

describe("hooks replay", () => {
  test("shows how many deliveries match, then resends them with the same webhook-id", async () => {
    const { realm, hook, destination, receiver, clock, advance, hooks } = await hooked()
    const since = clock.currentTimeMillisUnsafe()
    await users(realm, 2)
    await realm.org()
    await advance("10 seconds")
    const before = receiver.to(destination)
    const given = [hook.id, "--since", seconds(since), "--until", seconds(since + 60_000)]
    const replay = (...words: ReadonlyArray<string>) => hooks("replay", ...given, ...words)

    expect(await replay()).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^No messages that failed or are waiting for a retry were recorded from .* Use --all to also resend delivered messages\.\n$/
      )
    })
    expect(await replay("--all", "--type", "user.", "--dry-run")).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^2 messages of ${hook.id} \\(${destination}\\), recorded from .* UTC, would be resent\\.\\n$`)
      )
    })
    await advance(0)
    expect(receiver.to(destination)).toHaveLength(before.length)

    const sent = await replay("--all", "--type", "user.created", "--json")
    expect([sent.code, JSON.parse(sent.out)]).toEqual([
      0,
      {
        hook_id: hook.id,
        since: Math.floor(since / 1000),
        until: Math.floor(since / 1000) + 60,
        state: "all",
        event_type: ["user.created"],
        dry_run: false,
        notifications: 2
      }
    ])
    await advance(0)
    const again = receiver.to(destination).slice(before.length)
    const known = before.map(({ headers }) => headers["webhook-id"])
    expect(again).toHaveLength(2)
    expect(again.every(({ headers }) => known.includes(headers["webhook-id"]))).toBe(true)

    receiver.answer(destination, () => ({ status: 500, retryAfter: undefined, excerpt: "" }))
    await realm.org()
    await advance("10 minutes")
    expect(
      await hooks("replay", hook.id, "--since", seconds(since), "--until", seconds(since + 3_600_000), "--dry-run")
    ).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 message of ")
    })
    receiver.answer(destination, () => ({ status: 204, retryAfter: undefined, excerpt: "" }))

    const all = await replay("--all")
    expect(all.out).toMatch(/is known|repeated messages by their webhook-id/)
    expect(all.out).toMatch(new RegExp(`^${before.length + 1} messages of .* are being resent\\.\\n`))
  })

  test("resends emails to users only after confirmation", async () => {
    const { given, advance, clock, postbox, hooks } = await hooked()
    const realm = await given.realm()
    const mailed = await emailHook(realm)
    const user = await realm.user({ email: "ada@example.test" })
    const since = clock.currentTimeMillisUnsafe()
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
    await advance("10 seconds")
    const words = [
      "replay",
      "--hook",
      mailed.id,
      "--since",
      seconds(since),
      "--until",
      seconds(since + 60_000),
      "--all"
    ]
    const before = postbox.mails.length
    expect(await hooks(...words)).toMatchObject({
      code: 2,
      err: expect.stringContaining("1 email will be sent to users again.")
    })
    await advance(0)
    expect(postbox.mails).toHaveLength(before)
    expect(await hooks(...words, "--yes")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1 email of .* is being resent/)
    })
    await advance("1 minute")
    expect(postbox.mails).toHaveLength(before + 1)
  })

  test("rejects an invalid time, an empty range and an unknown event type", async () => {
    const { hook, hooks } = await hooked()
    expect(await hooks("replay", "--hook", hook.id, "--since", "yesterday")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--since yesterday is not a valid time.\nUse 2h for two hours ago (or s, m, d, w)")
    })
    expect(await hooks("replay", "--hook", hook.id, "--since", "1h", "--until", "2h")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--until is not after --since.")
    })
    expect(await hooks("replay", "--hook", hook.id, "--since", "1h", "--type", "user.crated")).toMatchObject({
      code: 1,
      err: expect.stringContaining("user.created")
    })
    expect(await hooks("replay", "--since", "1h")).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        "The argument <hook_id> is missing.\nGive one hook. sallyport hooks list shows all hooks."
      )
    })
    expect(await hooks("replay", hook.id, "--hook", "hk_2", "--since", "1h")).toMatchObject({ code: 2 })
    const inactive = await hooked({ state: "inactive" })
    expect(await inactive.hooks("replay", "--hook", inactive.hook.id, "--since", "1h")).toMatchObject({ code: 1 })
  })
})

test("a time option accepts an age, a date (in UTC by default) or Unix seconds", () => {
  const now = Date.UTC(2026, 10, 23, 12)
  const at = (text: string) => momentOf(text, now)
  expect(at("2h")).toBe(now / 1_000 - 7_200)
  expect([at("90s"), at("3d"), at("1w")]).toEqual([now / 1_000 - 90, now / 1_000 - 259_200, now / 1_000 - 604_800])
  for (const text of ["2026-11-23T08:00Z", "2026-11-23 08:00", "2026-11-23T08:00:00", "2026-11-23T09:00+01:00"]) {
    expect([text, at(text)]).toEqual([text, Date.UTC(2026, 10, 23, 8) / 1_000])
  }
  expect(at("2026-11-23")).toBe(Date.UTC(2026, 10, 23) / 1_000)
  expect(at("1795238591.164")).toBe(1_795_238_591.164)
  for (const text of ["", "2 hours", "yesterday", "23.11.2026", "2026-13-40", "-1h"]) expect(at(text)).toBeUndefined()
})

test("splits a time range into consecutive parts without gaps", () => {
  expect(partsOf(100, 200, 4)).toEqual([
    [100, 125],
    [125, 150],
    [150, 175],
    [175, 200]
  ])
  expect(partsOf(0.5, 1, 3)).toEqual([
    [0.5, 0.667],
    [0.667, 0.833],
    [0.833, 1]
  ])
})
