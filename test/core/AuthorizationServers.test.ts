import { DateTime } from "effect"
import { describe, expect, test } from "vitest"
import { AuthorizationServers } from "#core/external/AuthorizationServers"
import { Google } from "#core/external/providers/Google"
import { oauth2Preset } from "#core/external/providers/OAuth2"
import type { OAuth2Provider } from "#domain/AuthProvider"
import { AuthProviderId, RealmId } from "#domain/Ids"

/** Settings as read from the database: a new object each time. */
const openid = (host: string): OAuth2Provider => ({
  id: AuthProviderId.make("apr_a"),
  realmId: RealmId.make("rlm_a"),
  createdAt: DateTime.makeUnsafe(0),
  state: "active",
  name: null,
  clientId: "client",
  providerType: "oauth2",
  authorizationUrl: `${host}/authorize`,
  tokenUrl: `${host}/token`,
  profileUrl: `${host}/profile`,
  callbackByType: false,
  scopes: ["openid"],
  idField: "sub",
  emailField: "email",
  emailVerifiedField: null,
  tokenEndpointAuthMethod: null,
  firstNameField: null,
  lastNameField: null,
  nameField: null
})

describe("the cache of authorization servers", () => {
  test("SEC-93: adds no entry for 10,000 exchanges with scope openid, and one entry per preset", () => {
    const servers = new AuthorizationServers()
    for (let n = 0; n < 10_000; n++) {
      expect(servers.of(oauth2Preset(openid(`https://id${n % 7}.example.test`))).token_endpoint).toMatch(/\/token$/)
    }
    expect(servers.size).toBe(0)
    const first = servers.of(Google)
    for (let n = 0; n < 10_000; n++) expect(servers.of({ ...Google, endpoints: { ...Google.endpoints } })).toBe(first)
    expect(servers.size).toBe(1)
  })

  test("SEC-93: caches different settings separately, up to the maximum number of entries", () => {
    const servers = new AuthorizationServers(10)
    const at = (n: number) => ({
      ...Google,
      endpoints: { ...Google.endpoints, token: `https://id${n}.example.test/token` }
    })
    const first = servers.of(at(0))
    for (let n = 1; n < 10; n++) expect(servers.of(at(n))).not.toBe(first)
    expect(servers.of(at(0))).toBe(first)
    for (let n = 10; n < 10_000; n++) servers.of(at(n))
    expect(servers.size).toBe(10)
    expect(servers.of(at(0))).not.toBe(first)
    expect(servers.of(at(0)).token_endpoint).toBe("https://id0.example.test/token")
  })
})
