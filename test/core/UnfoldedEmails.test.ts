import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { expect, test } from "vitest"
import { foldEmails } from "#core/upkeep/UnfoldedEmails"
import { UnfoldedEmailsRepo } from "#store/users/UnfoldedEmailsRepo"
import { onOneDatabase } from "../support/encryptedColumns.ts"
import { importRows, rejections } from "../support/imports.ts"
import { query } from "../support/query.ts"
import { recordedStatements } from "../support/statements.ts"

const SECRET = "test-secret-of-more-than-32-characters"
const OLD = "jo@müller.example"

/** Runs the startup step twice concurrently, as two nodes would. */
const foldTwice = (sql: SqlClient) =>
  Effect.all([foldEmails, foldEmails], { concurrency: 2 }).pipe(
    Effect.provide(UnfoldedEmailsRepo.layer.pipe(Layer.provide(Layer.succeed(SqlClient, sql)))),
    Effect.provide(recordedStatements),
    Effect.provide(Logger.layer([])),
    Effect.runPromise
  )

/** Restores all addresses to their form from before migration 0023. */
const putInOldForm = (sql: SqlClient, realm: string) =>
  Promise.all([
    query(sql`update users set email = coalesce(email_shown, email), email_pending = coalesce(email_pending_shown, email_pending),
      email_shown = null, email_pending_shown = null where realm_id = ${realm}`),
    query(
      sql`update invitations set email = coalesce(email_shown, email), email_shown = null where realm_id = ${realm}`
    )
  ])

test("SEC-239: finds older users and invitations by their folded email after startup", () =>
  onOneDatabase((under) =>
    under([SECRET], async ({ sql }, given) => {
      const realm = await given.realm()
      const user = await realm.user({ email: OLD, reference: "1" })
      const pending = await realm.user({ email: "jö@example.test", email_pending: "pending@müller.example" })
      const invitation = await realm.invitation({ email: "guest@müller.example", org_id: (await realm.org()).id })
      await putInOldForm(sql, realm.id)
      expect((await realm.get(`/v2/users/${encodeURIComponent(OLD)}`)).status).toBe(404)

      expect(await foldTwice(sql)).toEqual([0, 0])
      for (const email of [OLD, "jo@xn--mller-kva.example"]) {
        const found = await realm.get(`/v2/users/${encodeURIComponent(email)}`)
        expect([found.status, found.id, found.member("email")]).toEqual([200, user.id, OLD])
        const second = await realm.post("/v2/users", { user: { email, credentials: [] } })
        expect([second.status, second.member("error_details", 0, "code")]).toEqual([422, "taken"])
      }
      const byPending = await realm.get(`/v2/users?email=${encodeURIComponent("pending@müller.example")}`)
      expect(byPending.items.map(({ id, email_pending }) => [id, email_pending])).toEqual([
        [pending.id, "pending@müller.example"]
      ])
      const invitations = await realm.get(`/v2/invitations?email=${encodeURIComponent("guest@müller.example")}`)
      expect(invitations.items.map(({ id, email }) => [id, email])).toEqual([[invitation.id, "guest@müller.example"]])
      const renamed = await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Jo" } })
      expect([renamed.status, renamed.member("email")]).toEqual([200, OLD])
    })
  ))

test("SEC-239: leaves a user unchanged if another user has the same mailbox", () =>
  onOneDatabase((under) =>
    under([SECRET], async ({ sql }, given) => {
      const realm = await given.realm()
      const old = await realm.user({ email: OLD, reference: "1" })
      await putInOldForm(sql, realm.id)
      const other = await realm.user({ email: OLD, reference: "2" })

      expect(await foldTwice(sql)).toEqual([1, 1])
      expect((await realm.get(`/v2/users/${encodeURIComponent(OLD)}`)).id).toBe(other.id)
      expect((await realm.get(`/v2/users/${old.id}`)).member("email")).toBe(OLD)
      const rows = [
        { reference: "1", first_name: "Jo" },
        { reference: "2", first_name: "Jo" },
        { reference: "3", email: "new@example.test" }
      ]
      expect(rejections(await importRows(realm, rows))).toEqual([[1, "email taken"]])
      expect((await realm.get("/v2/users?reference=3")).items).toHaveLength(1)

      await realm.put(`/v2/users/${other.id}`, { user: { email: "other@example.test" } })
      expect(await foldTwice(sql)).toEqual([0, 0])
      expect((await realm.get(`/v2/users/${encodeURIComponent(OLD)}`)).id).toBe(old.id)
    })
  ))
