import { describe, expect, test } from "vitest"
import { appVersions, eventsSeenBy } from "../support/apps.ts"
import { rejectionOf, unknownId } from "../support/invitations.ts"
import { oauthClient } from "../support/oauth.ts"
import { service } from "../support/sallyport.ts"

const realmOf = async (settings: object = { jwt_algo: "rs256" }) => (await service()).given.realm({ ...settings })

const secret = expect.stringMatching(/^ocs_[0-9A-Za-z]{43}$/)

describe.each(appVersions)("POST $path/{id}/rotate_secret", (as) => {
  const { path, named, title } = as

  test("returns a new secret once and records oauth.client_secret.rotated", async () => {
    const realm = await realmOf()
    const client = await oauthClient(realm)
    const read = await realm.get(`${path}/${client.id}`)
    const { result, events } = await eventsSeenBy(as, realm).during(() =>
      realm.post(`${path}/${client.id}/rotate_secret`, {})
    )
    expect([result.status, result.body]).toEqual([200, { ...Object(read.body), client_secret: secret }])
    expect(result.member("client_secret")).not.toBe(client.secret)
    expect(events).toEqual([{ event_type: "oauth.client_secret.rotated", [named]: client.id }])
    expect((await realm.get(`${path}/${client.id}`)).body).toEqual(read.body)
  })

  test("rejects apps without a secret, unknown apps and keys without admin_realm", async () => {
    const realm = await realmOf()
    const rotate = (id: string) => realm.post(`${path}/${id}/rotate_secret`, {})
    const { id } = await oauthClient(realm)
    const writer = await realm.as("write")
    const events = await realm.seen.caused(async () => {
      expect(rejectionOf(await rotate((await oauthClient(realm, { client_type: "spa" })).id)).status).toBe(422)
      expect(rejectionOf(await rotate((await realm.connectedApp()).id))).toMatchObject({ status: 422 })
      expect(rejectionOf(await rotate(unknownId(id)))).toEqual({
        status: 404,
        errors: [`${title} could not be found.`]
      })
      expect((await writer.post(`${path}/${id}/rotate_secret`, {})).status).toBe(403)
    })
    expect(events.map((event) => Object(event).event_type)).toEqual(["login_policy.created", "login_policy.created"])
  })
})

describe("a realm with OAuth clients", () => {
  const algorithms = async (realm: Awaited<ReturnType<typeof realmOf>>) =>
    (await realm.get("/v2/jwt_keys")).items
      .filter(({ expired }) => expired !== true)
      .map(({ algo }) => algo)
      .toSorted()

  test("keeps an RS256 key when it switches to HS256 or deletes its last RS256 key", async () => {
    const realm = await realmOf()
    await oauthClient(realm)
    expect((await realm.put(`/v2/realms/${realm.id}`, { realm: { jwt_algo: "hs256" } })).member("jwt_algo")).toBe(
      "hs256"
    )
    expect(await algorithms(realm)).toEqual(["hs256", "rs256"])
    for (const query of ["", "?force=true"]) {
      const keys = (await realm.get("/v2/jwt_keys")).items
      const rs256 = keys.find(({ algo, expired }) => algo === "rs256" && expired !== true)
      expect((await realm.delete(`/v2/jwt_keys/${rs256?.["id"]}${query}`)).status).toBe(202)
      const left = (await realm.get("/v2/jwt_keys")).items.filter(({ expired }) => expired !== true)
      expect(left.map(({ algo }) => algo).toSorted()).toEqual(["hs256", "rs256"])
      expect(left.map(({ id }) => id)).not.toContain(rs256?.["id"])
    }
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("jwt_algo")).toBe("hs256")
  })

  test("can delete its RS256 key once the last client is deleted", async () => {
    const realm = await realmOf()
    const { id } = await oauthClient(realm, { client_type: "machine" })
    expect((await realm.delete(`/v2/client_apps/${id}`)).status).toBe(204)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { jwt_algo: "hs256" } })
    expect(await algorithms(realm)).toEqual(["hs256"])
  })
})

test("a machine client can keep, but not add, a scope that was removed from the realm", async () => {
  const realm = await realmOf({ jwt_algo: "rs256", oauth_scopes: "notes:read notes:write" })
  const machine = await oauthClient(realm, { client_type: "machine", allowed_scopes: ["notes:read"] })
  await oauthClient(realm, { allowed_scopes: ["openid", "notes:write"] })
  await realm.put(`/v2/realms/${realm.id}`, { realm: { oauth_scopes: ["notes:write"] } })
  const change = (allowed_scopes: ReadonlyArray<string>) =>
    realm.put(`/v2/client_apps/${machine.id}`, { client_app: { allowed_scopes } })
  expect((await change(["notes:read", "notes:write"])).member("allowed_scopes")).toEqual(["notes:read", "notes:write"])
  expect((await change(["notes:write"])).status).toBe(200)
  expect(rejectionOf(await change(["notes:read"]))).toEqual({
    status: 422,
    errors: ["Allowed scopes contains a scope that the realm doesn't have: notes:read."]
  })
})
