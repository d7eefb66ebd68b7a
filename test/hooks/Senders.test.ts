import { expect, test } from "vitest"
import { emailHook, hookVersions, latest, notificationFor } from "../support/hooks.ts"
import { query } from "../support/query.ts"
import { ownService } from "../support/sallyport.ts"

const mailFromDomains = ["id.example.test", "acme.test"]

const sentence =
  "Email from must be an address at one of these domains: id.example.test, acme.test. The operator can allow others in SALLYPORT_MAIL_FROM_DOMAINS."

test.each(hookVersions)("SEC-88: a hook's sender in $version is rejected unless the deployment allows its domain", ({
  path,
  wrapper
}) =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm()
      const ofMail = { hook_type: "email", event_type: ["user.updated"], email_subject: "Hi", email_template: "Body" }
      const made = await emailHook(realm, { email_from: "Shop@Acme.test" })
      expect([made.status, made.member("email_from")]).toEqual([201, "shop@acme.test"])
      const events = await realm.seen.caused(async () => {
        for (const email_from of [
          "x@elsewhere.test",
          "x@sub.acme.test",
          "x@notacme.test",
          "acme.test@elsewhere.test"
        ]) {
          for (const reply of [
            await realm.post(path, { [wrapper]: { ...ofMail, realm_id: realm.id, email_from } }),
            await realm.put(`${path}/${made.id}`, { [wrapper]: { email_from, email_subject: "Other" } })
          ]) {
            expect([reply.status, reply.body]).toMatchObject([
              422,
              { errors: [sentence], error_details: [{ field: "email_from", code: "sender_domain" }] }
            ])
          }
        }
      })
      expect(events).toEqual([])
      expect((await realm.get(`${path}/${made.id}`)).body).toMatchObject({ email_subject: "Changed" })
    },
    { mailFromDomains }
  ))

test("SEC-88: an earlier sender address is stored, but emails are sent from the deployment's own address", () =>
  ownService(
    async ({ given, sql, advance, postbox }) => {
      const realm = await given.realm()
      const hook = await emailHook(realm, { email_from: "shop@acme.test", email_from_name: "Shop" })
      const mailing = await emailHook(realm, { email_from: "shop@acme.test", email_from_name: "Shop" })
      await query(sql`update app_hooks set email_from = 'ceo@elsewhere.test' where id = ${String(hook.id)}`)
      const kept = await realm.put(`/v2/hooks/${hook.id}`, {
        hook: { email_from: "ceo@elsewhere.test", email_subject: "Kept" }
      })
      expect([kept.status, kept.member("email_from")]).toEqual([200, "ceo@elsewhere.test"])
      const user = await realm.user()
      await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
      const { eventId } = await latest(realm, "user.updated")
      await advance(0)
      expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "completed" })
      expect(await notificationFor(realm, eventId, mailing.id)).toMatchObject({ state: "completed" })
      const from = postbox.to(user.string("email")).map(({ subject, from }) => [subject, from.address, from.name])
      expect(from.toSorted()).toEqual([
        ["Changed", "shop@acme.test", "Shop"],
        ["Kept", "no-reply@id.example.test", "Shop"]
      ])
    },
    { mailFromDomains }
  ))
