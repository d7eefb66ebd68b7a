import { isDeepStrictEqual } from "node:util"
import { expect, test } from "vitest"
import { effectsOf, hostedAt, rejection, statusAndBody, userAtApp } from "../support/hostedApi.ts"
import { PASSWORD, userEvent } from "../support/logins.ts"
import { newRealm } from "../support/sallyport.ts"

const highLimits = { hosted: 1_000, hosted_sustained: 1_000 }

const tooOften = (most: number) =>
  rejection(`Too many emails requested in this realm: at most ${most} in 600 seconds. Try again in 600 seconds.`)

test("SEC-94: emails for password resets are limited per realm without changing the response", async () => {
  const realm = await newRealm({ limits: { ...highLimits, visitor_mails: 3 } })
  const people = [await userAtApp(realm), await userAtApp(realm), await userAtApp(realm), await userAtApp(realm)]
  const elsewhere = await newRealm({ limits: highLimits })
  const other = await userAtApp(elsewhere)
  const replies: Array<unknown> = []
  const events = await effectsOf(
    realm,
    async (own) => {
      for (const name of [...people.map(({ username }) => username), "nobody"]) {
        const [{ at }] = people as [(typeof people)[0]]
        replies.push(statusAndBody(await at.of(own).post("forgotPassword", { username: name })))
      }
      // Emails of another realm and emails sent by management calls don't count.
      await other.at.of(own).post("forgotPassword", { username: other.username })
      const invitation = await own.invitation()
      expect((await own.post(`/v2/invitations/${invitation.id}/invite`, {})).status).toBe(200)
    },
    { limits: "all" }
  )
  expect(new Set(replies.map((answer) => JSON.stringify(answer))).size).toBe(1)
  const resets = events.filter(({ event_type }) => event_type === "user.password.resetting")
  // Emails are created after the responses, in any order.
  expect(resets).toHaveLength(3)
  const all = people.map(({ user }) => userEvent(user, "password.resetting"))
  expect(all.filter((one) => resets.some((reset) => isDeepStrictEqual(one, reset)))).toHaveLength(3)
  expect(events.map(({ event_type }) => String(event_type)).filter((type) => type.startsWith("invitation."))).toEqual([
    "invitation.referral.created",
    "invitation.referral.invited"
  ])
  const seen = await elsewhere.seen.all()
  expect(seen.filter(({ event_type }) => event_type === "user.password.resetting")).toHaveLength(1)
})

test("SEC-94: signups that send an email are rejected above the limit, even if the email is taken", async () => {
  const realm = await newRealm({ email_verification: "preverify", limits: { ...highLimits, visitor_mails: 2 } })
  const { at, email } = await userAtApp(realm)
  const replies: Array<unknown> = []
  const events = await effectsOf(
    realm,
    async (own) => {
      for (const address of ["a@example.test", "b@example.test", "c@example.test", email]) {
        const form = { username: address.split("@")[0], email: address, password: PASSWORD }
        replies.push(statusAndBody(await at.of(own).post("signup", form)))
      }
    },
    { limits: "all" }
  )
  expect(replies.slice(2)).toEqual([tooOften(2), tooOften(2)])
  const pair = ["invitation.preverify.created", "invitation.preverify.invited"]
  expect(events.map(({ event_type }) => event_type)).toEqual([...pair, ...pair])
})

test("SEC-94: only signups whose email must be confirmed count toward the limit", async () => {
  const signUps = async (email_verification: string) => {
    const realm = await newRealm({ email_verification, limits: { ...highLimits, visitor_mails: 1 } })
    const at = await hostedAt(realm)
    const replies: Array<unknown> = []
    await effectsOf(
      realm,
      async (own) => {
        for (const name of ["a", "b"]) {
          const form = { username: name, email: `${name}@example.test`, password: PASSWORD }
          replies.push(statusAndBody(await at.of(own).post("signup", form)))
        }
      },
      { limits: "all" }
    )
    return { replies, users: (await realm.get("/v2/users")).items.length }
  }
  const counted = await signUps("request")
  expect([counted.replies[1], counted.users]).toEqual([tooOften(1), 1])
  expect((await signUps("none")).users).toBe(2)
})
