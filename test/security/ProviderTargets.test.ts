import { expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { privateHosts } from "../support/privateTargets.ts"
import { ownService, service } from "../support/sallyport.ts"

const path = "/v2/auth_providers"

const members = ["authorization_url", "token_url", "profile_url"] as const

const oauth2 = {
  provider_type: "oauth2",
  client_id: "client",
  client_secret: "secret",
  authorization_url: "https://sso.example.test/authorize",
  token_url: "https://sso.example.test/token",
  profile_url: "https://sso.example.test/profile"
}

/** The errors returned when a provider is created, and updated, with the given URL in one of its fields. */
const refusals = async (realm: GivenRealm, id: string, member: string, url: string) => {
  const created = await realm.post(path, { auth_provider: { ...oauth2, [member]: url } })
  const updated = await realm.put(`${path}/${id}`, { auth_provider: { [member]: url } })
  return [created, updated].map(({ status, errors, body }) => ({ status, errors, details: Object(body).error_details }))
}

const names = { authorization_url: "Authorization URL", token_url: "Token URL", profile_url: "Profile URL" }

test("SEC-67 CVE-2025-67494: rejects private and plain http URLs of a provider", async () => {
  await ownService(
    async ({ given }) => {
      const realm = await given.realm()
      const { id } = await realm.authProvider()
      const before = (await realm.get(`${path}/${id}`)).body
      for (const member of members) {
        for (const [url, code, rest] of [
          ["https://169.254.169.254/latest", "target_private", "can't point to a private or local address."],
          ["https://localhost:8443/", "target_private", "can't point to a private or local address."],
          ["http://sso.example.test/", "target_scheme", "must be an https URL."]
        ] as const) {
          const sentence = `${names[member]} ${rest}`
          const rejected = {
            status: 422,
            errors: [sentence],
            details: [expect.objectContaining({ field: member, code })]
          }
          expect(await refusals(realm, id, member, url)).toEqual([rejected, rejected])
        }
      }
      expect((await realm.get(`${path}/${id}`)).body).toEqual(before)
      const spanish = await realm.call("PUT", `${path}/${id}`, {
        headers: { "accept-language": "es" },
        body: { auth_provider: { token_url: "https://[::1]/", profile_url: "http://sso.example.test/" } }
      })
      expect(spanish.errors).toEqual([
        "URL del token: no puede apuntar a una dirección privada o local.",
        "URL del perfil: debe ser una URL https."
      ])
    },
    { allowPrivateTargets: false }
  )
})

test("SEC-67 CVE-2024-29415 CVE-2026-43929: rejects every spelling of a private address", async () => {
  await ownService(
    async ({ given }) => {
      const realm = await given.realm()
      const { id } = await realm.authProvider()
      for (let first = 0; first < privateHosts.length; first += members.length) {
        const urls = members.flatMap((member, index) => {
          const host = privateHosts[first + index]
          return host === undefined ? [] : [[member, `https://${host}/`] as const]
        })
        const { status, body } = await realm.put(`${path}/${id}`, { auth_provider: Object.fromEntries(urls) })
        expect([urls, status, Object(body).error_details]).toEqual([
          urls,
          422,
          urls.map(([field]) => expect.objectContaining({ field, code: "target_private" }))
        ])
      }
    },
    { allowPrivateTargets: false }
  )
})

test("accepts private and plain http URLs if private targets are allowed", async () => {
  const realm = await (await service()).given.realm()
  const provider = { ...oauth2, token_url: "http://127.0.0.1:8080/token", profile_url: "https://sso.internal/me" }
  const made = await realm.post(path, { auth_provider: provider })
  expect([made.status, made.member("token_url"), made.member("profile_url")]).toEqual([
    201,
    provider.token_url,
    provider.profile_url
  ])
})
