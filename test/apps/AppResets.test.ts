import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { appVersions, minimalApp } from "../support/apps.ts"
import { query } from "../support/query.ts"
import { eventsOfCreation } from "../support/realms.ts"
import { clockedService, type OwnService } from "../support/sallyport.ts"

const appsAndEvents = async ({ sql }: OwnService, { id }: GivenRealm) => {
  const [row] = await query(
    sql<{ readonly apps: number; readonly events: number }>`select
      (select count(*)::int from login_policies where realm_id = ${id}) as apps,
      (select count(*)::int from events where realm_id = ${id} and login_policy_id is not null) as events`
  )
  return row
}

const withApps = async () => {
  const own = await clockedService()
  const [realm, other] = [await own.given.realm(), await own.given.realm()]
  const app = await realm.connectedApp()
  await realm.connectedApp()
  return { own, realm, app, other: { realm: other, app: await other.connectedApp() } }
}

describe("a realm reset with login_policies", () => {
  test("deletes apps with one realm.reset event and reserves their subdomains for the realm (SEC-103)", async () => {
    const { own, realm, app, other } = await withApps()
    const events = await realm.seen.during(() =>
      realm.post(`/v2/realms/${realm.id}/reset`, { login_policies: true, users: false, orgs: false })
    )
    expect(events.result.status).toBe(202)
    for (const { path } of appVersions) {
      expect((await realm.get(path)).items).toEqual([])
      expect((await realm.get(`${path}/${app.id}`)).status).toBe(404)
    }
    const subdomain = app.string("subdomain")
    const stranger = await other.realm.post("/v2/client_apps", { client_app: minimalApp({ subdomain }) })
    expect(stranger.errors).toEqual(["Subdomain has already been taken."])
    const again = await realm.connectedApp({ subdomain })
    await own.advance("1 minute")
    expect(await appsAndEvents(own, realm)).toEqual({ apps: 1, events: 1 })
    expect((await realm.get(`/v2/client_apps/${again.id}`)).body).toEqual(again.body)
    expect(await appsAndEvents(own, other.realm)).toEqual({ apps: 1, events: 1 })
    const left = (await realm.seen.all()).map(({ event_type }) => event_type)
    expect(left).toEqual([...eventsOfCreation, "realm.reset", "login_policy.created"])
  })

  test.each([
    {},
    { login_policies: false, app_hooks: true, auth_providers: true }
  ])("keeps the apps with %j", async (asked) => {
    const { own, realm, app } = await withApps()
    expect((await realm.post(`/v2/realms/${realm.id}/reset`, asked)).status).toBe(202)
    await own.advance("1 minute")
    expect((await realm.get(`/v1/login_policies/${app.id}`)).status).toBe(200)
    expect(await appsAndEvents(own, realm)).toEqual({ apps: 2, events: 2 })
  })
})

test("deleting a realm deletes its apps immediately and reserves their subdomains for 90 days (SEC-103)", async () => {
  const { own, realm, app, other } = await withApps()
  expect((await own.given.root.delete(`/v2/realms/${realm.id}`)).status).toBe(202)
  for (const { path } of appVersions) {
    expect((await own.given.root.get(`${path}/${app.id}`)).status).toBe(404)
    expect((await own.given.root.delete(`${path}/${app.id}`)).status).toBe(404)
  }
  await own.advance("1 minute")
  expect(await appsAndEvents(own, realm)).toEqual({ apps: 0, events: 0 })
  const createAppAtSubdomain = () =>
    other.realm.post("/v2/client_apps", { client_app: minimalApp({ subdomain: app.string("subdomain") }) })
  const whileReserved = await createAppAtSubdomain()
  expect([whileReserved.status, whileReserved.errors]).toEqual([422, ["Subdomain has already been taken."]])
  expect((await other.realm.get(`/v2/client_apps/${other.app.id}`)).body).toEqual(other.app.body)
  await own.advance("90 days")
  expect((await createAppAtSubdomain()).status).toBe(201)
})
