import { expect, test } from "vitest"
import { encryptedColumns } from "#platform/SecretLocation"
import { Api } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { encryptionKeysIn, newOrgOnce, oneOfEverySecret, onOneDatabase, servedBy } from "../support/encryptedColumns.ts"
import { stateFor, submitCallback } from "../support/external.ts"
import { latest, notificationFor } from "../support/hooks.ts"
import { newKey } from "../support/jwtKeys.ts"
import { authenticate, complete, enrolled, PASSWORD } from "../support/logins.ts"

const old = "the old key, which has 32 characters or more"
const fresh = "the new key, which has 32 characters or more"

const LACKS =
  "The service can't decrypt a value that it needs: one of its encryption keys is missing. Try again in a moment."

test(
  "SEC-104: a rotation re-encrypts all encrypted columns, including stored replays",
  () =>
    onOneDatabase(async (under) => {
      const created = await under([old], oneOfEverySecret)
      const before = await under([old, fresh], async (kit) => encryptionKeysIn(kit))
      expect(Object.keys(before).toSorted()).toEqual(
        encryptedColumns.map(({ table, column }) => `${table}.${column}`).toSorted()
      )
      await under([fresh, old], async (kit) => {
        expect(await kit.advance(0)).toBeGreaterThanOrEqual(encryptedColumns.length)
        const after = await encryptionKeysIn(kit)
        expect(Object.keys(after)).toEqual(Object.keys(before))
        const prefixes = [...new Set(Object.values(after).flat())]
        expect([
          prefixes.length,
          Object.values(before)
            .flat()
            .includes(prefixes[0] ?? "")
        ]).toEqual([1, false])
      })
      await under([fresh], async (kit) => {
        const realm = servedBy(kit, created.realm)
        const again = await newOrgOnce(realm, created.name)
        expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([
          201,
          created.org.text,
          "true"
        ])
        expect((await realm.get(`/v2/invitations/${created.invitation.id}`)).body).toEqual(created.invitation.body)
        const key = await realm.post("/v1/users/authenticate_key", { api_key: created.robot.string("api_key") })
        expect(key.status).toBe(200)
      })
    }),
  60_000
)

test(
  "SEC-104: undecryptable values are treated as null and never cause a 500",
  () =>
    onOneDatabase(async (under) => {
      const created = await under([old], oneOfEverySecret)
      await under([fresh], async (kit, given) => {
        const realm = servedBy(kit, created.realm)
        const { hook, provider, device, robot, invitation, mailed } = created

        // Reads and lists show null.
        expect((await realm.get(`/v2/hooks/${hook.id}`)).body).toMatchObject({ id: hook.id, secret: null })
        expect((await realm.get("/v2/hooks?max_results=1000")).status).toBe(200)
        expect((await realm.get(`/v2/invitations/${invitation.id}`)).body).toMatchObject({ token: null })
        expect((await realm.get("/v2/invitations")).items.map(({ token }) => token)).toEqual([null])
        expect((await realm.get(`/v2/credentials/${device.id}`)).body).toMatchObject({ otp_secret: null })
        expect((await realm.get(`/v1/users/${robot.id}`)).member("api_key")).toBeNull()
        expect((await realm.get("/v2/jwt_keys")).items).toMatchObject([{ key: null, expired: false }])
        expect((await realm.get(`/v2/realms/${realm.id}`)).body).toMatchObject({ jwt_key: null, jwt_algo: "hs256" })
        expect((await realm.get(`/v2/auth_providers/${provider.id}`)).status).toBe(200)
        const events = (await realm.get("/v2/events?event_type=user.email.verifying")).items
        expect(events.map(({ token }) => token)).toEqual([null])
        const mails = (await new Api(kit.transport, kit.key).get(`/v2/test/messages?realm_id=${realm.id}`)).items
        expect(mails).toMatchObject([{ subject: "", text: null, html: null, links: [] }])

        // Logins fail, because the realm has no usable signing key and none is created automatically.
        const withoutKey = await authenticate(realm, mailed.id, PASSWORD)
        expect([withoutKey.status, withoutKey.headers.get("retry-after"), withoutKey.errors]).toEqual([
          503,
          "1",
          [LACKS]
        ])
        expect((await realm.get("/v2/jwt_keys")).items).toMatchObject([{ key: null }])
        await newKey(realm, { algo: "hs256" })
        const login = await authenticate(realm, mailed.id, PASSWORD)
        expect(login.status).toBe(200)
        expect((await realm.get("/v2/jwt_keys")).items).toMatchObject([
          { key: expect.stringMatching(/^jsk_/) },
          { key: null }
        ])
        expect((await realm.get(`/v1/sessions/${encodeURIComponent(login.string("token"))}`)).status).toBe(200)

        // Deliveries fail with a clear result until the secret is rotated. Then the pending deliveries are sent.
        await realm.org()
        await kit.advance(0)
        const { eventId } = await latest(realm, "org.created")
        const unreadable = "The hook's signing secret can't be read. Rotate it."
        expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({
          state: "in_progress",
          last_result: unreadable
        })
        const ping = await realm.post(`/v2/hooks/${hook.id}/ping`, {})
        expect([ping.status, ping.body]).toMatchObject([200, { state: "failed", result: unreadable }])
        expect((await realm.post(`/v2/hooks/${hook.id}/rotate_secret`, {})).string("secret")).toMatch(/^whsec_/)
        await kit.advance("1 hour")
        expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "completed" })

        // A pending provider login must start again, and new logins fail until the client secret is set again.
        const gone = await submitCallback(realm, { state: created.state })
        expect([gone.status, gone.errors]).toEqual([422, ["State is invalid, has expired or has already been used."]])
        const rejected = await submitCallback(realm, { state: await stateFor(realm, provider.id) })
        expect([rejected.status, rejected.errors]).toEqual([422, ["This login method isn't available right now."]])
        const update = { auth_provider: { client_secret: "set again" } }
        expect((await realm.put(`/v2/auth_providers/${provider.id}`, update)).status).toBe(200)

        // The service can't know whether this request was already executed, so it doesn't execute it again.
        const { result, events: none } = await realm.seen.during(() => newOrgOnce(realm, created.name))
        expect([result.status, none]).toEqual([503, []])

        // The key for API key lookups isn't replaced, because existing API keys would never be found again.
        const key = await realm.post("/v1/users/authenticate_key", { api_key: robot.string("api_key") })
        expect([key.status, key.headers.get("retry-after")]).toEqual([503, "1"])
        // Attempts for unknown names are still counted.
        expect((await authenticate(realm, "nobody@example.test", PASSWORD)).status).toBe(422)
        expect((await authenticate(await given.realm(), "nobody@example.test", PASSWORD)).status).toBe(422)
      })
      await under([fresh, old], async (kit) => {
        const realm = servedBy(kit, created.realm)
        // With the key restored, everything reads as before.
        expect((await realm.get(`/v2/credentials/${created.device.id}`)).body).toEqual(created.device.body)
        expect((await realm.get(`/v2/invitations/${created.invitation.id}`)).body).toEqual(created.invitation.body)
        expect((await newOrgOnce(realm, created.name)).text).toBe(created.org.text)
      })
    }),
  60_000
)

/** The start time of the nth service on a database. */
const startOf = (n: number) => STARTS_AT + n * 120_000

test(
  "C100: a node that lacks a key isn't ready and creates no signing key, but accepts correct codes",
  () =>
    onOneDatabase(async (under) => {
      const created = await under([old], async (_, given) => {
        const [used, idle] = [await given.realm({ jwt_algo: "hs256" }), await given.realm({ jwt_algo: "hs256" })]
        const [ada, eve] = [await used.user({ password: PASSWORD }), await idle.user({ password: PASSWORD })]
        const cy = await used.user({ password: PASSWORD })
        const device = await enrolled(used, cy.id, startOf(1))
        return { used, idle, ada: ada.id, eve: eve.id, cy: cy.id, device }
      })
      await under([old], (behind) =>
        under([fresh, old], async (ahead) => {
          const [used, idle] = [servedBy(behind, created.used), servedBy(behind, created.idle)]
          const readiness = async () => (await new Api(behind.transport, behind.key).get("/readyz")).body
          const keysOf = async (realm: GivenRealm) => (await servedBy(ahead, realm).get("/v2/jwt_keys")).items.length
          const before = await authenticate(used, created.ada)
          expect(before.status).toBe(200)
          const pending = await authenticate(used, created.cy)
          expect(pending.body).toMatchObject({ object: "token" })

          expect(await ahead.advance(0)).toBeGreaterThan(0)
          // Nothing that needs the new key has been read yet.
          expect(await readiness()).toMatchObject({ status: "ready" })
          const rejected = await authenticate(idle, created.eve)
          expect([rejected.status, rejected.errors]).toEqual([503, [LACKS]])
          expect([await keysOf(created.idle), await keysOf(created.used)]).toEqual([1, 1])
          expect(await readiness()).toMatchObject({
            status: "not ready",
            database: "ok",
            missing_keys: [expect.stringMatching(/^[0-9a-f]{8}$/)]
          })

          // A signing key read before the rotation stays in use, and the other node verifies its signatures.
          const again = await authenticate(used, created.ada)
          expect(again.status).toBe(200)
          const seen = await servedBy(ahead, created.used).get(
            `/v1/sessions/${encodeURIComponent(again.string("token"))}`
          )
          expect(seen.status).toBe(200)

          // A correct code isn't rejected as wrong.
          for (let n = 0; n < 3; n++) {
            const completed = await complete(used, pending.string("token"), created.device.code(0, startOf(2)))
            expect([completed.status, completed.errors]).toEqual([503, [LACKS]])
          }
          const elsewhere = servedBy(ahead, created.used)
          const step = await authenticate(elsewhere, created.cy)
          expect((await complete(elsewhere, step.string("token"), created.device.code(0, startOf(3)))).status).toBe(200)

          // The operator sees the number of undecryptable values.
          await behind.advance(0)
          expect((await new Api(behind.transport, behind.key).get("/metrics")).text).toMatch(
            /secrets_at_rest\{[^}]*key="missing"[^}]*\} [1-9]/
          )
        })
      )
      // With both keys, the values are readable again and are re-encrypted with the old key, which comes first.
      await under([old, fresh], async (back) => {
        const readable = await authenticate(servedBy(back, created.idle), created.eve)
        expect(readable.status).toBe(200)
        await back.advance(0)
      })
      await under([old], async (alone) => {
        expect((await authenticate(servedBy(alone, created.idle), created.eve)).status).toBe(200)
        expect((await new Api(alone.transport, alone.key).get("/readyz")).body).toMatchObject({ status: "ready" })
      })
    }),
  60_000
)

test(
  "C100: a node is ready again once no stored value needs the missing key",
  () =>
    onOneDatabase(async (under) => {
      const realm = await under([old], (_, given) => given.realm({ jwt_algo: "hs256" }))
      await under([old], async (behind) => {
        const readiness = async () => (await new Api(behind.transport, behind.key).get("/readyz")).body
        await under([fresh, old], (ahead) => ahead.advance(0))
        expect((await servedBy(behind, realm).get("/v2/jwt_keys")).items).toMatchObject([{ key: null }])
        expect(await readiness()).toMatchObject({ status: "not ready" })
        await under([old, fresh], (back) => back.advance(0))
        await behind.advance("2 minutes")
        expect(await readiness()).toMatchObject({ status: "ready" })
      })
    }),
  60_000
)
