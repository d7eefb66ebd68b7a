import { expect, test } from "vitest"
import { encryptedColumns } from "#platform/SecretLocation"
import { Api } from "#testing/Api"
import { everythingSealed, newOrgOnce, onOneDatabase, sealedIn, servedBy } from "../support/encryptedColumns.ts"
import { comeBack, stateFor } from "../support/external.ts"
import { latest, notificationFor } from "../support/hooks.ts"
import { authenticate, PASSWORD } from "../support/logins.ts"

const old = "the old key, which has 32 characters or more"
const fresh = "the new key, which has 32 characters or more"

test(
  "SEC-104: every column that holds sealed values is in the list, and after a rotation all are under the new key, replays included",
  () =>
    onOneDatabase(async (under) => {
      const made = await under([old], everythingSealed)
      const before = await under([old, fresh], async (kit) => sealedIn(kit))
      expect(Object.keys(before).toSorted()).toEqual(
        encryptedColumns.map(({ table, column }) => `${table}.${column}`).toSorted()
      )
      await under([fresh, old], async (kit) => {
        expect(await kit.advance(0)).toBeGreaterThanOrEqual(encryptedColumns.length)
        const after = await sealedIn(kit)
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
        const realm = servedBy(kit, made.realm)
        const again = await newOrgOnce(realm, made.name)
        expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([
          201,
          made.org.text,
          "true"
        ])
        expect((await realm.get(`/v2/invitations/${made.invitation.id}`)).body).toEqual(made.invitation.body)
        const key = await realm.post("/v1/users/authenticate_key", { api_key: made.robot.string("api_key") })
        expect(key.status).toBe(200)
      })
    }),
  60_000
)

test(
  "SEC-104: what can't be opened reads as null, and nothing is answered with a 500 because of it",
  () =>
    onOneDatabase(async (under) => {
      const made = await under([old], everythingSealed)
      await under([fresh], async (kit, given) => {
        const realm = servedBy(kit, made.realm)
        const { hook, provider, device, robot, invitation, mailed } = made

        // Reads and lists.
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
        const mails = (await new Api(kit.transport, undefined).get(`/v2/test/messages?realm_id=${realm.id}`)).items
        expect(mails).toMatchObject([{ subject: "", text: null, html: null, links: [] }])

        // A login: no key of the realm signs any more, so that one is made.
        const login = await authenticate(realm, mailed.id, PASSWORD)
        expect(login.status).toBe(200)
        expect((await realm.get("/v2/jwt_keys")).items).toMatchObject([
          { key: expect.stringMatching(/^jsk_/) },
          { key: null }
        ])
        expect((await realm.get(`/v1/sessions/${encodeURIComponent(login.string("token"))}`)).status).toBe(200)

        // Deliveries fail with a plain result until the secret is rotated; what waited goes out then.
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

        // Logins elsewhere: the one under way has to begin anew, and nobody gets in before the secret is set again.
        const gone = await comeBack(realm, { state: made.state })
        expect([gone.status, gone.errors]).toEqual([422, ["State is invalid, has expired or has already been used."]])
        const refused = await comeBack(realm, { state: await stateFor(realm, provider.id) })
        expect([refused.status, refused.errors]).toEqual([422, ["This login method isn't available right now."]])
        const update = { auth_provider: { client_secret: "set again" } }
        expect((await realm.put(`/v2/auth_providers/${provider.id}`, update)).status).toBe(200)

        // Whether it was done already nobody can tell: it is not done again.
        const { result, events: none } = await realm.seen.during(() => newOrgOnce(realm, made.name))
        expect([result.status, none]).toEqual([503, []])

        // What API keys are looked up by can't be replaced: they would never be found again.
        const key = await realm.post("/v1/users/authenticate_key", { api_key: robot.string("api_key") })
        expect([key.status, key.headers.get("retry-after")]).toEqual([503, "1"])
        // Names that nobody has are counted all the same.
        expect((await authenticate(realm, "nobody@example.test", PASSWORD)).status).toBe(422)
        expect((await authenticate(await given.realm(), "nobody@example.test", PASSWORD)).status).toBe(422)
      })
      await under([fresh, old], async (kit) => {
        const realm = servedBy(kit, made.realm)
        // With its key back everything is there as before.
        expect((await realm.get(`/v2/credentials/${made.device.id}`)).body).toEqual(made.device.body)
        expect((await realm.get(`/v2/invitations/${made.invitation.id}`)).body).toEqual(made.invitation.body)
        expect((await newOrgOnce(realm, made.name)).text).toBe(made.org.text)
      })
    }),
  60_000
)
