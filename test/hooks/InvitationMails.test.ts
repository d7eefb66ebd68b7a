import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { emailHook, turnedRealm } from "../support/hooks.ts"

type Turned = Awaited<ReturnType<typeof turnedRealm>>
type Attributes = Readonly<Record<string, unknown>>

/** Sends an invitation and returns the emails that it causes. */
const sendInvitation = async (
  { realm, postbox, advance }: Turned,
  attributes: Attributes,
  wait: "" | "27 days" = ""
) => {
  const email = `${uniqueText("guest")}@example.test`
  const invitation = await realm.invitation({ email, ...attributes })
  await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
  if (wait !== "") await advance(wait)
  await advance(0)
  return postbox.take(email)
}

const firstMail = async (turned: Turned, attributes: Attributes) => {
  const [mail, ...others] = await sendInvitation(turned, attributes)
  expect(others).toEqual([])
  return { subject: mail?.subject, begins: mail?.text?.split("\n")[2], text: mail?.text ?? "", html: mail?.html ?? "" }
}

const ada = { first_name: "Ada", last_name: "Lovelace" }

describe("the default email of an invitation", () => {
  test("names the inviter, the org and the realm, and states how long the link works", async () => {
    const turned = await turnedRealm({ name: "Acme" })
    const { realm } = turned
    const [org, { id: inviting_user_id }] = [await realm.org({ name: "Pilots" }), await realm.user(ada)]
    const { subject, begins, text, html } = await firstMail(turned, { org_id: org.id, inviting_user_id })
    expect(subject).toBe("Ada Lovelace invited you to join Pilots on Acme")
    expect(begins).toBe("Ada Lovelace has invited you to join Pilots on Acme.")
    expect(text).toContain("This link works for 30 days, and only once.")
    expect(text).toContain("If you don't know Ada Lovelace or weren't expecting this invitation, you can ignore")
    expect(html).toContain("<strong>Ada Lovelace</strong> has invited you to join <strong>Pilots</strong> on Acme.")
  })

  test("names only the org if the invitation has no inviter, and only the realm if the invitation has no org", async () => {
    const turned = await turnedRealm({ name: "Acme" })
    const { realm } = turned
    const [org, { id: inviting_user_id }] = [await realm.org({ name: "Pilots" }), await realm.user(ada)]
    expect(await firstMail(turned, { org_id: org.id })).toMatchObject({
      subject: "You're invited to join Pilots on Acme",
      begins: "You've been invited to join Pilots on Acme."
    })
    expect(await firstMail(turned, { inviting_user_id })).toMatchObject({
      subject: "Ada Lovelace invited you to Acme",
      begins: "Ada Lovelace thinks you'd like Acme, too, and has invited you to join."
    })
    expect(await firstMail(turned, {})).toMatchObject({
      subject: "You're invited to Acme",
      begins: "You've been invited to join Acme."
    })
    expect(await firstMail(turned, { invitation_type: "request", inviting_user_id })).toMatchObject({
      subject: "Your invitation to Acme",
      begins: "You asked to join Acme. Good news: here's your invitation."
    })
  })

  test("is in Spanish for Spanish readers, and in English for unsupported languages", async () => {
    const turned = await turnedRealm({ name: "Acme", available_locales: ["en", "es", "de"] })
    const { id: inviting_user_id } = await turned.realm.user(ada)
    const spanish = await firstMail(turned, { inviting_user_id, locale: "es" })
    expect(spanish.subject).toBe("Ada Lovelace le invita a Acme")
    expect(spanish.text).toContain("Este enlace funciona durante 30 días y una sola vez.")
    expect(spanish.html).toContain("Si el botón no funciona, abra este enlace:")
    const german = await firstMail(turned, { locale: "de" })
    expect(german.text).toContain("This link works for 30 days")
    expect(german.html).toContain('<html lang="en"')
  })

  test("SEC-72: shows markup, links and overlong text in names as plain text", async () => {
    const turned = await turnedRealm({ name: "Acme" })
    const { realm } = turned
    const org = await realm.org({ name: `<a href="https://evil.test">Win</a>` })
    const inviter = await realm.user({ first_name: "Claim {{token}} at evil.test/now", last_name: "x".repeat(90) })
    const { subject, text, html } = await firstMail(turned, { org_id: org.id, inviting_user_id: inviter.id })
    const shown = `Claim {{token}} at evil.\u2060test/now ${"x".repeat(30)}…`
    expect(subject).toBe(`${shown} invited you to join <a href="https:\u2060//evil.\u2060test">Win</a> on Acme`)
    expect(text).toContain(`${shown} has invited you`)
    expect(`${subject}${text}${html}`).not.toMatch(/evil\.test|:\/\/evil/)
    expect(html.match(/<a /g)).toHaveLength(2)
  })
})

test("a custom hook can use the inviter, the org and the link's lifetime as variables", async () => {
  const turned = await turnedRealm({ name: "Acme" })
  const { realm } = turned
  const [org, { id: inviting_user_id }] = [await realm.org({ name: "Pilots" }), await realm.user(ada)]
  for (const type of ["org", "referral"]) {
    await emailHook(realm, {
      event_type: [`invitation.${type}.invited`],
      email_renderer: "text",
      email_subject: "Own",
      email_template: "[{{inviter_name}}] [{{org_name}}] [{{expires_in}}]",
      delay: type === "org" ? 0 : 27 * 86_400
    })
  }
  const own = (mails: Awaited<ReturnType<typeof sendInvitation>>) =>
    mails.filter(({ subject }) => subject === "Own").map(({ text }) => text)
  expect(own(await sendInvitation(turned, { org_id: org.id, inviting_user_id }))).toEqual([
    "[Ada Lovelace] [Pilots] [30 days]"
  ])
  expect(own(await sendInvitation(turned, {}, "27 days"))).toEqual(["[] [] [3 days]"])

  await emailHook(realm, {
    email_renderer: "text",
    email_template: "[{{inviter_name}}] [{{org_name}}] [{{expires_in}}]"
  })
  const user = await realm.user()
  await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Grace" } })
  await turned.advance(0)
  expect(turned.postbox.take(user.string("email")).map(({ text }) => text)).toEqual(["[] [] []"])
})
