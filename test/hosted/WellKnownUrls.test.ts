import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { atHost } from "../support/apps.ts"
import { newRealm } from "../support/sallyport.ts"

const hostIn = async (realm: GivenRealm) => (await realm.connectedApp()).string("domains", 0)

describe("the well-known URLs of login hosts", () => {
  test("C306: name the pages where users create and manage passkeys", async () => {
    const host = await hostIn(await newRealm())
    const reply = await atHost(host, "/.well-known/passkey-endpoints")
    expect([reply.status, reply.headers.get("content-type"), reply.headers.get("cache-control")]).toEqual([
      200,
      "application/json",
      "public, max-age=300"
    ])
    expect(reply.body).toEqual({
      enroll: expect.stringMatching(new RegExp(`^https?://${host}/passkey$`)),
      manage: expect.stringMatching(new RegExp(`^https?://${host}/security#passkeys$`))
    })
  })

  test("C306: return 404 for the passkey pages of a realm without passkeys", async () => {
    const realm = await newRealm()
    await realm.put("/v2/auth_providers/passkey", { auth_provider: { state: "inactive" } })
    expect((await atHost(await hostIn(realm), "/.well-known/passkey-endpoints")).status).toBe(404)
  })

  test("C306: redirect to the page where users change their password", async () => {
    const host = await hostIn(await newRealm())
    const reply = await atHost(host, "/.well-known/change-password")
    expect([reply.status, reply.headers.get("location")]).toEqual([
      302,
      expect.stringMatching(new RegExp(`^https?://${host}/security#passwords$`))
    ])
  })

  test.each([
    "/.well-known/passkey-endpoints",
    "/.well-known/change-password"
  ])("%s accepts only reads", async (path) => {
    const reply = await atHost(await hostIn(await newRealm()), path, "POST")
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })
})
