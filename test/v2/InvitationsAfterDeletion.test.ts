import { describe, expect, test } from "vitest"
import { ids, notThere, rejectionOf } from "../support/invitations.ts"
import { statusAndErrors } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { newRealm, ownService, service } from "../support/sallyport.ts"
import { accept, UNUSABLE } from "../support/tokens.ts"

describe("the invitations of a deleted or closed resource", () => {
  test("are deleted with their org, without separate events", async () => {
    const given = await newRealm()
    const [user, org, other] = [await given.user(), await given.org(), await given.org()]
    const deleted = [
      await given.invitation({ org_id: org.id }),
      await given.invitation({ org_id: org.id, invitation_type: "request" })
    ]
    const remaining = [await given.invitation({ org_id: other.id }), await given.invitation()]
    const events = await given.seen.caused(() => given.delete(`/v2/orgs/${org.id}?force=true`))
    expect(events).toEqual([{ event_type: "org.deleted", org_id: org.id }])
    expect(ids(await given.get("/v2/invitations"))).toEqual(remaining.map(({ id }) => id))
    for (const one of deleted) {
      expect(rejectionOf(await given.get(`/v2/invitations/${one.id}`))).toEqual(notThere)
      expect(statusAndErrors(await accept(given, user.id, one.string("token")))).toEqual(UNUSABLE)
    }
  })

  test("can still be read, changed and deleted after their org is closed", async () => {
    const given = await newRealm()
    const org = await given.org()
    const created = await given.invitation({ org_id: org.id })
    await given.delete(`/v2/orgs/${org.id}`)
    const path = `/v2/invitations/${created.id}`
    expect((await given.get(path)).member("org", "state")).toBe("closed")
    expect((await given.put(path, { invitation: { permissions: "a" } })).status).toBe(200)
    expect((await given.delete(path)).status).toBe(204)
  })

  test("remain, with a null inviting_user_id, after the inviting user is deleted", async () => {
    const given = await newRealm()
    const [user, other] = [await given.user(), await given.user()]
    const created = await given.invitation({ inviting_user_id: user.id, org_id: (await given.org()).id })
    const sentTo = await given.invitation({ email: user.string("email"), inviting_user_id: other.id })
    await given.delete(`/v2/users/${user.id}`)
    const shown = { ...Object(created.body), inviting_user_id: null }
    expect((await given.get("/v2/invitations")).items).toEqual([shown, sentTo.body])
    expect((await given.get(`/v2/invitations/${created.id}`)).body).toEqual(shown)
    expect((await given.put(`/v2/invitations/${created.id}`, { invitation: {} })).body).toEqual(shown)
    expect((await accept(given, other.id, created.string("token"))).status).toBe(200)
  })

  test("remain, with a null auth_provider_id, after the provider is deleted", async () => {
    const given = await newRealm()
    const [provider, user] = [await given.authProvider(), await given.user()]
    const created = await given.invitation({ auth_provider_id: provider.id, inviting_user_id: user.id })
    expect((await given.delete(`/v2/auth_providers/${provider.id}`)).status).toBe(204)
    const reply = await given.get(`/v2/invitations/${created.id}`)
    expect(reply.body).toEqual({ ...Object(created.body), auth_provider_id: null })
    expect((await given.post(`/v2/invitations/${created.id}/invite`, {})).member("auth_provider_id")).toBe(null)
  })

  test("remain, with a null client_app_id, after the app is deleted", async () => {
    const given = await newRealm()
    const app = await given.connectedApp()
    const created = await given.invitation({ client_app_id: app.id })
    expect(created.member("client_app_id")).toBe(app.id)
    expect((await given.delete(`/v2/client_apps/${app.id}`)).status).toBe(204)
    expect((await given.get(`/v2/invitations/${created.id}`)).body).toEqual({
      ...Object(created.body),
      client_app_id: null
    })
    expect((await given.post(`/v2/invitations/${created.id}/invite`, {})).member("client_app_id")).toBe(null)
  })

  test("can't be found after their realm is deleted", async () => {
    const given = await newRealm()
    const created = await given.invitation()
    const { root } = (await service()).given
    expect((await root.get(`/v2/invitations/${created.id}`)).status).toBe(200)
    await given.delete(`/v2/realms/${given.id}`)
    expect(rejectionOf(await root.get(`/v2/invitations/${created.id}`))).toEqual(notThere)
  })
})

test("deleting an org also deletes any number of invitations", () =>
  ownService(async ({ given: own, sql }) => {
    const given = await own.realm()
    const org = await given.org()
    const created = await given.invitation({ org_id: org.id })
    await query(sql`insert into invitations (realm_id, id, invitation_type, email, org_id, permissions, locale,
        token_digest, token, created_at, expires_at)
      select realm_id, id || n, invitation_type, email, org_id, permissions, locale, int4send(n), token, created_at,
        expires_at from invitations, generate_series(1, 5000) n where id = ${created.id}`)
    expect((await given.delete(`/v2/orgs/${org.id}?force=true`)).status).toBe(202)
    expect(await query(sql`select 1 from invitations where realm_id = ${given.id}`)).toEqual([])
  }))
