import { createLocalJWKSet, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { atHost } from "../support/apps.ts"
import { newRealm, service } from "../support/sallyport.ts"

const domainOf = async (realm: GivenRealm, attributes = {}) => {
  const app = await realm.connectedApp(attributes)
  return { app, domain: app.string("domains", 0) }
}

const paths = ["/connect/jwks", "/.well-known/openid-configuration"]

const nothingThere = { status: 404, errors: ["There is nothing at this address."] }

const refusedAt = async (host: string, path: string) => {
  const { status, body } = await atHost(host, path)
  return { status, errors: body.errors }
}

describe("GET /connect/jwks", () => {
  test("returns the same keys on an app's host as for the realm", async () => {
    const realm = await newRealm({ jwt_algo: "rs256" })
    const { domain } = await domainOf(realm)
    const { status, headers, body } = await atHost(domain, "/connect/jwks")
    expect([status, body]).toEqual([200, (await realm.get(`/realms/${realm.id}/jwks`)).body])
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(headers.get("cache-control")).toBe("public, max-age=60")
    const token = (await realm.session((await realm.user()).id)).string("token")
    const rules = { algorithms: ["RS256"], currentDate: new Date(STARTS_AT) }
    const { payload } = await jwtVerify(token, createLocalJWKSet(body), rules)
    expect(payload["rid"]).toBe(realm.id)
    expect(body.keys[0].x5c).toEqual([expect.any(String)])
  })

  test("SEC-39: returns no HS256 secret", async () => {
    const { domain } = await domainOf(await newRealm())
    expect((await atHost(domain, "/connect/jwks")).body).toEqual({ keys: [] })
  })
})

test("OIDC discovery on an app's host returns the realm's issuer and the JWKS on that host", async () => {
  const realm = await newRealm({ jwt_algo: "rs256" })
  const { domain } = await domainOf(realm)
  const { status, body } = await atHost(domain, "/.well-known/openid-configuration")
  const ofRealm = (await realm.get(`/realms/${realm.id}/.well-known/openid-configuration`)).body
  expect([status, body]).toEqual([200, { ...Object(ofRealm), jwks_uri: `https://${domain}/connect/jwks` }])
})

describe.each(paths)("%s", (path) => {
  test("matches Host regardless of port, letter case and a trailing dot", async () => {
    const { domain } = await domainOf(await newRealm())
    for (const host of [`${domain}:3000`, domain.toUpperCase(), `${domain}.`, `${domain.toUpperCase()}.:80`]) {
      expect([host, (await atHost(host, path)).status]).toEqual([host, 200])
    }
  })

  test("SEC-37: uses the app's stored domain in its response, regardless of the request's headers", async () => {
    const { domain } = await domainOf(await newRealm())
    const { body } = await atHost(`${domain}:1234\r\nX-Forwarded-Host: evil.test\r\nForwarded: host=evil.test`, path)
    expect(JSON.stringify(body)).not.toMatch(/evil|1234/)
    expect(await refusedAt(`evil.test\r\nX-Forwarded-Host: ${domain}`, path)).toEqual(nothingThere)
  })

  test("returns 404 for an unknown host", async () => {
    const { app, domain } = await domainOf(await newRealm())
    const subdomain = app.string("subdomain")
    for (const host of [
      "127.0.0.1",
      "localhost",
      "id.example.test",
      "local.localhost",
      ".local.localhost",
      `no-${domain}`,
      `a.${domain}`,
      `${domain}..`,
      `${domain}.evil.test`,
      `${subdomain}.other.localhost`,
      `${subdomain}.localhost`,
      `${subdomain}_.local.localhost`,
      `%.local.localhost`,
      `${domain}@evil.test`,
      `[::1]`
    ]) {
      expect([host, await refusedAt(host, path)]).toEqual([host, nothingThere])
    }
  })

  test("uses an app's new subdomain immediately, and returns 404 for an inactive or deleted app", async () => {
    const realm = await newRealm()
    const { app, domain } = await domainOf(realm)
    const update = (client_app: object) => realm.put(`/v2/client_apps/${app.id}`, { client_app })
    const moved = (await update({ subdomain: `${app.string("subdomain")}-moved` })).string("domains", 0)
    expect([(await refusedAt(domain, path)).status, (await atHost(moved, path)).status]).toEqual([404, 200])
    await update({ state: "inactive" })
    expect(await refusedAt(moved, path)).toEqual(nothingThere)
    await update({ state: "active" })
    expect((await atHost(moved, path)).status).toBe(200)
    await realm.delete(`/v2/client_apps/${app.id}`)
    expect(await refusedAt(moved, path)).toEqual(nothingThere)
  })

  test("works in an inactive realm, but returns 404 in a deleted realm", async () => {
    const { given } = await service()
    const realm = await newRealm()
    const { domain } = await domainOf(realm)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect((await atHost(domain, path)).status).toBe(200)
    await given.root.delete(`/v2/realms/${realm.id}`)
    expect(await refusedAt(domain, path)).toEqual(nothingThere)
  })

  test("accepts HEAD and preflight requests, and returns 405 for other methods", async () => {
    const { domain } = await domainOf(await newRealm())
    const { status, headers } = await atHost(domain, path, "POST")
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
  })
})
