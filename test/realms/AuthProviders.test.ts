import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { noRealm } from "../support/noRealm.ts"
import { ownProviders } from "../support/realms.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, service } from "../support/sallyport.ts"

const errorOf = ({ status, errors }: Reply) => ({ status, errors })
const notFound = { status: 404, errors: ["Auth provider could not be found."] }
const taken = { status: 422, errors: ["Provider type has already been taken."] }

const idsOf = (reply: Reply) => reply.items.map(({ id }) => id)
const typesOf = (reply: Reply) => reply.items.map(({ provider_type }) => provider_type)

const client = (attributes: Readonly<Record<string, unknown>> = {}) => ({
  auth_provider: { client_id: uniqueText("client"), client_secret: uniqueText("secret"), ...attributes }
})

const wellKnown = ["facebook", "github", "google", "linkedin", "slack", "yahoo"] as const

describe.each(["v1", "v2"])("%s", (version) => {
  const path = `/${version}/auth_providers`

  describe("list", () => {
    test("returns password, totp, passkey and an inactive email_code for a new realm", async () => {
      const realm = await newRealm()
      const reply = await (await realm.as("read")).get(path)
      const [password, totp, passkey, emailCode] = reply.items
      const common = { object: "auth_provider", state: "active", realm_id: realm.id, created_at: STARTS_AT / 1000 }
      expect([reply.status, reply.body]).toEqual([
        200,
        {
          collection: [
            {
              ...common,
              id: password?.["id"],
              provider_type: "password",
              min_length: 8,
              preset: "none",
              required_chars: []
            },
            { ...common, id: totp?.["id"], provider_type: "totp" },
            {
              ...common,
              id: passkey?.["id"],
              provider_type: "passkey",
              user_verification: "preferred",
              attestation: "none",
              attestation_roots: []
            },
            {
              ...common,
              id: emailCode?.["id"],
              provider_type: "email_code",
              state: "inactive",
              second_factor: false
            }
          ],
          more_results: false
        }
      ])
      expect(password?.["id"]).toMatch(/^ap_[0-9a-z]{26}$/)
    })

    test("filters by provider_type and state", async () => {
      const realm = await newRealm()
      await realm.authProvider({ provider_type: "github" })
      await realm.authProvider({ state: "inactive" })
      await realm.authProvider()
      const types = async (query: string) => typesOf(await realm.get(`${path}?${query}`))
      expect(await types("")).toEqual([...ownProviders, "github", "oauth2", "oauth2"])
      expect(await types("provider_type=github")).toEqual(["github"])
      expect(await types("provider_type=oauth2&state=active")).toEqual(["oauth2"])
      expect(await types("state=inactive")).toEqual(["email_code", "oauth2"])
      expect(await types("provider_type=yahoo")).toEqual([])
      for (const query of ["provider_type=saml", "provider_type=", "state=closed", "sort=name", "direction=up"]) {
        expect([query, (await realm.get(`${path}?${query}`)).status]).toEqual([query, 422])
      }
    })

    test("pages with after and max_results in both directions", async () => {
      const realm = await newRealm()
      for (let n = 0; n < 3; n++) await realm.authProvider()
      for (const order of ["", "&direction=desc", "&sort=id"]) {
        const all = idsOf(await realm.get(`${path}?max_results=1000${order}`))
        const seen: Array<unknown> = []
        for (let after = "", more = true; more; after = `&after=${String(seen.at(-1))}`) {
          const page = await realm.get(`${path}?max_results=2${order}${after}`)
          seen.push(...idsOf(page))
          more = page.member("more_results") === true
          expect(page.items.length).toBe(more ? 2 : 1)
        }
        expect(seen).toEqual(all)
        expect(all.toSorted()).toEqual(order.includes("desc") ? all.toReversed() : all)
      }
    })

    test("accepts an ID but not a type as after", async () => {
      const realm = await newRealm()
      for (const after of ["password", "x", realm.id]) {
        expect(errorOf(await realm.get(`${path}?after=${after}`)), after).toEqual(notFound)
      }
    })
  })

  describe("get", () => {
    test("returns a provider by ID or by type", async () => {
      const realm = await newRealm()
      const github = await realm.authProvider({ provider_type: "github" })
      const reader = await realm.as("read")
      for (const name of [github.id, "github"]) {
        const reply = await reader.get(`${path}/${name}`)
        expect([name, reply.status, reply.body]).toEqual([name, 200, github.body])
      }
      expect((await reader.get(`${path}/password`)).member("min_length")).toBe(8)
      expect((await reader.get(`${path}/totp`)).member("provider_type")).toBe("totp")
    })

    test("returns 404 for oauth2, an unknown type or a provider of another realm", async () => {
      const [realm, other] = [await newRealm(), await newRealm()]
      const [oauth2, foreign] = [await realm.authProvider(), await other.authProvider({ provider_type: "google" })]
      for (const name of ["oauth2", "google", "Password", "saml", foreign.id, unknownIdLike(oauth2.id)]) {
        expect(errorOf(await realm.get(`${path}/${name}`)), name).toEqual(notFound)
      }
    })
  })

  describe("create", () => {
    test.each(wellKnown)("creates %s and records auth_provider.created", async (provider_type) => {
      const realm = await newRealm()
      const { auth_provider } = client({ provider_type })
      const caller = await realm.as("admin_realm")
      const { result, events } = await realm.seen.during(() => caller.post(path, { auth_provider }))
      expect(result.status).toBe(201)
      expect(result.body).toEqual({
        id: result.id,
        object: "auth_provider",
        provider_type,
        state: "active",
        realm_id: realm.id,
        created_at: STARTS_AT / 1000,
        name: null,
        client_id: auth_provider.client_id,
        scopes: [],
        callback_by_type: false
      })
      expect(events).toEqual([{ event_type: "auth_provider.created", auth_provider_id: result.id }])
      expect((await realm.get(`${path}/${result.id}`)).body).toEqual(result.body)
    })

    test("allows several oauth2 providers with different URLs and profile members", async () => {
      const realm = await newRealm()
      const urls = {
        authorization_url: "https://sso.example.test/authorize?tenant=a",
        token_url: "http://localhost:8080/token",
        profile_url: "HTTPS://sso.example.test/me"
      }
      const plain = await realm.post(path, client({ provider_type: "oauth2", ...urls }))
      expect([plain.status, plain.body]).toEqual([
        201,
        {
          id: plain.id,
          object: "auth_provider",
          provider_type: "oauth2",
          state: "active",
          realm_id: realm.id,
          created_at: STARTS_AT / 1000,
          name: null,
          client_id: plain.string("client_id"),
          scopes: [],
          callback_by_type: false,
          ...urls,
          token_endpoint_auth_method: null,
          id_field: "id",
          email_field: "email",
          email_verified_field: null,
          first_name_field: null,
          last_name_field: null,
          name_field: null
        }
      ])
      const all = {
        state: "inactive",
        name: "Acme SSO",
        client_id: "acme",
        scopes: ["openid", "email"],
        ...urls,
        id_field: "sub",
        email_field: "mail",
        email_verified_field: "mail_verified",
        first_name_field: "given_name",
        last_name_field: "family_name",
        name_field: "display_name"
      }
      const full = await realm.post(path, client({ provider_type: "oauth2", ...all }))
      expect([full.status, full.body]).toEqual([201, expect.objectContaining(all)])
    })

    test("allows one provider of a type per realm until the provider is deleted", async () => {
      const [realm, other] = [await newRealm(), await newRealm()]
      const first = await realm.post(path, client({ provider_type: "slack" }))
      const second = () => realm.post(path, client({ provider_type: "slack" }))
      const { result, events } = await realm.seen.during(second)
      expect([errorOf(result), events]).toEqual([taken, []])
      expect(result.member("error_details", 0, "field")).toBe("provider_type")
      expect((await other.post(path, client({ provider_type: "slack" }))).status).toBe(201)
      expect((await realm.delete(`${path}/${first.id}`)).status).toBe(204)
      expect((await second()).status).toBe(201)
    })

    test("succeeds for only one of several concurrent requests for the same type", async () => {
      const realm = await newRealm()
      const { result, events } = await realm.seen.during(() =>
        Promise.all(Array.from({ length: 8 }, () => realm.post(path, client({ provider_type: "google" }))))
      )
      const won = result.filter(({ status }) => status === 201)
      expect(won.length).toBe(1)
      const lost = result.filter(({ status }) => status !== 201)
      expect(lost.map(errorOf)).toEqual(lost.map(() => taken))
      expect(events).toEqual([{ event_type: "auth_provider.created", auth_provider_id: won[0]?.id }])
      expect(idsOf(await realm.get(`${path}?provider_type=google`))).toEqual([won[0]?.id])
    })

    test.each(["password", "totp"])("rejects %s, which every realm already has", async (provider_type) => {
      const realm = await newRealm()
      const { result, events } = await realm.seen.during(() => realm.post(path, client({ provider_type })))
      expect([errorOf(result), events]).toEqual([taken, []])
    })
  })

  describe("delete", () => {
    test.each(["id", "type"])("deletes a provider by %s and records auth_provider.deleted", async (how) => {
      const realm = await newRealm()
      const { id } = await realm.authProvider({ provider_type: "yahoo" })
      const caller = await realm.as("admin_realm")
      const remove = () => caller.delete(`${path}/${how === "id" ? id : "yahoo"}`)
      const { result, events } = await realm.seen.during(remove)
      expect([result.status, result.text]).toEqual([204, ""])
      expect(events).toEqual([{ event_type: "auth_provider.deleted", auth_provider_id: id }])
      expect(await realm.seen.caused(async () => expect(errorOf(await remove())).toEqual(notFound))).toEqual([])
      expect(typesOf(await realm.get(path))).toEqual(ownProviders)
    })

    test.each(["password", "totp"])("rejects %s, which can be set to inactive instead", async (type) => {
      const realm = await newRealm()
      const [id] = idsOf(await realm.get(`${path}?provider_type=${type}`))
      for (const name of [type, String(id)]) {
        const { result, events } = await realm.seen.during(() => realm.delete(`${path}/${name}`))
        const sentence = "The password and totp providers can't be deleted. Set them to inactive instead."
        expect([errorOf(result), events]).toEqual([{ status: 422, errors: [sentence] }, []])
      }
      const inactive = await realm.put(`${path}/${type}`, { auth_provider: { state: "inactive" } })
      expect([inactive.status, inactive.member("state")]).toEqual([200, "inactive"])
    })
  })

  describe("the realm of a request whose key is not locked to a realm", () => {
    const calls = (api: Api, name: string) => [
      () => api.get(`${path}/${name}`),
      () => api.put(`${path}/${name}`, { auth_provider: {} }),
      () => api.delete(`${path}/${name}`)
    ]

    test("is found by an ID in the path", async () => {
      const { given } = await service()
      const realm = await given.realm()
      const { id } = await realm.authProvider()
      for (const call of calls(given.root, id)) expect((await call()).status).toBeLessThan(300)
    })

    test("can't be found by a type in the path", async () => {
      const { root } = (await service()).given
      for (const type of ["password", "totp", ...wellKnown]) {
        for (const call of calls(root, type)) {
          expect(errorOf(await call()), type).toEqual({ status: 422, errors: noRealm })
        }
      }
      for (const name of ["oauth2", "saml", "a@example.test", "Password"]) {
        for (const call of calls(root, name)) expect(errorOf(await call()), name).toEqual(notFound)
      }
    })
  })
})

test("shows the same providers in both versions", async () => {
  const realm = await newRealm()
  await realm.authProvider()
  expect((await realm.get("/v1/auth_providers")).body).toEqual((await realm.get("/v2/auth_providers")).body)
})

test("lists at most 100 providers by default", async () => {
  const realm = await newRealm()
  await Promise.all(Array.from({ length: 99 }, () => realm.authProvider()))
  for (const version of ["v1", "v2"]) {
    const reply = await realm.get(`/${version}/auth_providers`)
    expect([reply.items.length, reply.member("more_results")]).toEqual([100, true])
  }
})
