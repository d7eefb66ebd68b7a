import { describe, expect, test } from "vitest"
import {
  type Authorizing,
  authorize,
  authorizing,
  endpointOf,
  requestAuthorization,
  requestOf,
  VERIFIER
} from "../support/authorize.ts"
import { OTHER_PASSWORD } from "../support/logins.ts"
import { basic, oauthClient } from "../support/oauth.ts"
import { deviceClient, enterCode, postForm, type Waiting, withDevice } from "../support/oauthDevices.ts"
import { redeem } from "../support/oauthTokens.ts"
import { clockedService, ownService } from "../support/sallyport.ts"

const newRealm = async () => (await clockedService()).given.realm()

test("SEC-186: parsing time grows linearly with the number of names in a form", async () => {
  const realm = await newRealm()
  const names = Array.from({ length: 45_000 }, (_, at) => [at.toString(36), ""])
  const form = Object.fromEntries(names)
  for (const endpoint of ["token", "introspect", "device_authorization", "userinfo"]) {
    expect([endpoint, (await postForm(realm, endpoint, form)).status]).toEqual([endpoint, 401])
  }
})

test("SEC-187: unknown client ids share one limit per address and never block an existing client", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm({ limits: { client_secrets: 3 } })
      const { id, secret = "" } = await oauthClient(realm, { client_type: "machine" })
      const requestToken = async (name: string, key = "x") =>
        (await postForm(realm, "token", { grant_type: "client_credentials" }, { authorization: basic(name, key) }))
          .status
      const madeUp = ["'", "x", "lpl_00000000000000000000000000", "lpl_00000000000000000000000001", "y"]
      const statuses: Array<number> = []
      for (const name of madeUp) statuses.push(await requestToken(name))
      expect(statuses).toEqual([401, 401, 401, 429, 429])
      expect(await requestToken(id, secret)).toBe(200)
    },
    { limits: "all" }
  ))

describe("SEC-197: the limits on requests from unauthenticated callers", () => {
  const withLimits = (
    limits: object,
    use: (at: Authorizing, statuses: () => Promise<ReadonlyArray<number>>) => unknown
  ) =>
    ownService(
      async ({ given }) => {
        const at = await authorizing(await given.realm({ limits }))
        const { id: device } = await deviceClient(at.realm)
        const { id: spa } = await oauthClient(at.realm, { client_type: "spa" })
        const pushRequest = (client_id: string, headers = {}) =>
          postForm(at.realm, "par", requestOf(at, { client_id }), headers)
        const statuses = async () => {
          const own = await pushRequest(at.client.id, { authorization: basic(at.client.id, at.client.secret ?? "") })
          expect(own.status).toBe(201)
          const replies = [
            await requestAuthorization(at),
            await at.visitor.browser.go(endpointOf(at, "end_session")),
            await postForm(at.realm, "device_authorization", { client_id: device }),
            await pushRequest(spa)
          ]
          return replies.map(({ status }) => status)
        }
        await use(at, statuses)
      },
      { limits: "all" }
    )

  test("apply per address, without counting authenticated clients", () =>
    withLimits({ open_requests: 4 }, async (_, statuses) => {
      expect(await statuses()).toEqual([303, 303, 200, 201])
      expect(await statuses()).toEqual([429, 429, 429, 429])
    }))

  test("apply per realm across all addresses, without counting rejected requests", () =>
    withLimits({ open_requests_total: 2 }, async (at, statuses) => {
      expect(await statuses()).toEqual([303, 303, 429, 429])
      const limited = await requestAuthorization(at)
      expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true])
      expect(limited.text).toContain("<html")
    }))
})

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"

const invalid = expect.objectContaining({ error: "invalid_grant" })

describe("SEC-188: someone who temporarily controlled an account", () => {
  const poll = ({ realm, client, device }: Waiting & { readonly realm: Parameters<typeof postForm>[0] }) =>
    postForm(realm, "token", { grant_type: DEVICE_CODE, client_id: client.id, device_code: device.deviceCode })

  test("cannot redeem an unused code for offline access after its session has ended", async () => {
    const at = await authorizing(await newRealm())
    const issued = async () => {
      const { code = "" } = await authorize(at, { scope: "openid offline_access" })
      return code
    }
    expect((await redeem(at.client, at.realm, await issued(), { code_verifier: VERIFIER })).status).toBe(200)
    const unused = await issued()
    await at.realm.put(`/v2/users/${at.user.id}`, { user: { password: OTHER_PASSWORD } })
    expect((await redeem(at.client, at.realm, unused, { code_verifier: VERIFIER })).body).toEqual(invalid)
  })

  test("gets no tokens for an approved device after a password change", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await enterCode(at, at.device.userCode)
    await at.visitor.fill({}, "Allow")
    await realm.put(`/v2/users/${at.user.id}`, { user: { password: OTHER_PASSWORD } })
    expect((await poll({ ...at, realm })).body).toEqual(invalid)
  })

  test("cannot approve a device in a browser that has logged out", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await enterCode(at, at.device.userCode)
    await realm.put(`/v2/users/${at.user.id}`, { user: { password: OTHER_PASSWORD } })
    await at.visitor.fill({}, "Allow")
    expect((await poll({ ...at, realm })).body).toEqual(invalid)
  })

  test("gets no tokens for an approved device after the user has revoked its access", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await enterCode(at, at.device.userCode)
    await at.visitor.fill({}, "Allow")
    await at.visitor.send("/security", { way: "remove_access", app: at.client.id })
    expect((await poll({ ...at, realm })).body).toEqual(invalid)
  })
})
