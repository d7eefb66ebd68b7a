import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const path = "/v2/auth_providers"

const oauth2 = {
  provider_type: "oauth2",
  client_id: "client",
  client_secret: "secret",
  authorization_url: "https://sso.example.test/authorize",
  token_url: "https://sso.example.test/token",
  profile_url: "https://sso.example.test/profile"
}

type Attributes = Readonly<Record<string, unknown>>

const create = (realm: GivenRealm, attributes: Attributes) =>
  realm.post(path, { auth_provider: { ...oauth2, ...attributes } })

const errorOf = ({ status, errors }: Reply) => ({ status, errors })

const problemsOf = (reply: Reply) => {
  const details = reply.member("error_details")
  return Array.isArray(details) ? details.map(({ field, code }) => `${field} ${code}`).toSorted() : []
}

test("reports every problem without creating a provider", async () => {
  const realm = await newRealm()
  const before = (await realm.get(path)).body
  const events = await realm.seen.caused(async () => {
    const nothing = await realm.post(path, { auth_provider: { provider_type: "oauth2" } })
    expect(errorOf(nothing)).toEqual({
      status: 422,
      errors: [
        "Client ID can't be blank.",
        "Client secret can't be blank.",
        "Authorization URL can't be blank.",
        "Token URL can't be blank.",
        "Profile URL can't be blank."
      ]
    })
    const wrong = await create(realm, {
      name: "n".repeat(256),
      client_id: " ",
      client_secret: "s".repeat(2_049),
      scopes: ['a"b'],
      authorization_url: "javascript:alert(1)",
      token_url: "https://user:pw@sso.example.test/",
      profile_url: `https://sso.example.test/${"p".repeat(2_048)}`,
      id_field: "i".repeat(256),
      name_field: "a\u0000b"
    })
    expect([wrong.status, problemsOf(wrong)]).toEqual([
      422,
      [
        "authorization_url url_form",
        "client_id blank",
        "client_secret too_long",
        "id_field too_long",
        "name too_long",
        "name_field invalid",
        "profile_url too_long",
        "scopes scope_form",
        "token_url url_parts"
      ]
    ])
    const types = await realm.post(path, {
      auth_provider: { name: 7, client_id: [], client_secret: {}, scopes: 1, token_url: true, state: "on" }
    })
    expect([types.status, problemsOf(types)]).toEqual([
      422,
      [
        "client_id not_text",
        "client_secret not_text",
        "name not_text",
        "provider_type blank",
        "scopes not_list",
        "state inclusion",
        "token_url not_text"
      ]
    ])
    const update = await realm.put(`${path}/totp`, { auth_provider: { state: 1, client_id: 2 } })
    expect([update.status, problemsOf(update)]).toEqual([422, ["client_id not_text", "state inclusion"]])
    expect((await realm.post(path, oauth2)).status).toBe(400)
  })
  expect(events).toEqual([])
  expect((await realm.get(path)).body).toEqual(before)
})

test.each([
  "saml",
  "",
  "OAuth2",
  "google ",
  1,
  null,
  ["google"]
])("rejects %j as a provider type", async (provider_type) => {
  const reply = await create(await newRealm(), { provider_type })
  expect(errorOf(reply)).toEqual({
    status: 422,
    errors: [
      "Provider type must be one of: password, totp, passkey, email_code, apple, facebook, github, google, linkedin, microsoft, slack, yahoo, oauth2, oidc."
    ]
  })
})

test("requires only a client ID and a client secret for a well-known provider", async () => {
  const reply = await newRealm().then((realm) => realm.post(path, { auth_provider: { provider_type: "github" } }))
  expect(errorOf(reply)).toEqual({
    status: 422,
    errors: ["Client ID can't be blank.", "Client secret can't be blank."]
  })
})

test.each([
  { min_length: 1, required_chars: ["digit"], token_url: "javascript:1", id_field: "f".repeat(300) },
  { min_length: null, required_chars: null, preset: null, token_url: null, id_field: null }
])("ignores members of other provider types", async (others) => {
  const realm = await newRealm()
  const reply = await create(realm, { provider_type: "linkedin", ...others })
  expect(reply.status).toBe(201)
  expect(Object.keys(Object(reply.body)).filter((name) => name in others)).toEqual([])
})

describe("URLs", () => {
  const notHttp = "must be an http or https URL."
  const parts = "can't contain a username, password or fragment."

  test.each([
    ["javascript:alert(1)", notHttp],
    ["JavaScript://sso.example.test/%0aalert(1)", notHttp],
    ["data:text/html,x", notHttp],
    ["file:///etc/passwd", notHttp],
    ["ftp://sso.example.test/", notHttp],
    ["//sso.example.test/", notHttp],
    ["/authorize", notHttp],
    ["sso.example.test", notHttp],
    ["https://", notHttp],
    ["https:sso.example.test", notHttp],
    ["https:\\\\sso.example.test", notHttp],
    ["https://sso.example.test\\@other.test/", notHttp],
    ["https://sso.exa\tmple.test/", notHttp],
    ["https://sso.example.test/\r\nx: 1", notHttp],
    ["https://sso example.test/", notHttp],
    ["https://[::1/", notHttp],
    ["https://sso.example.test:99999/", notHttp],
    ["https://user@sso.example.test/", parts],
    ["https://:pw@sso.example.test/", parts],
    ["https://sso.example.test/#", parts],
    ["https://sso.example.test/?a=1#b", parts]
  ])("rejects %j", async (url, sentence) => {
    const realm = await newRealm()
    const { id } = await realm.authProvider()
    for (const [member, name] of [
      ["authorization_url", "Authorization URL"],
      ["token_url", "Token URL"],
      ["profile_url", "Profile URL"]
    ] as const) {
      const expected = { status: 422, errors: [`${name} ${sentence}`] }
      expect(errorOf(await create(realm, { [member]: url }))).toEqual(expected)
      expect(errorOf(await realm.put(`${path}/${id}`, { auth_provider: { [member]: url } }))).toEqual(expected)
    }
  })

  test.each([
    "http://localhost:8080",
    "https://sso.example.test/auth?tenant=a&x=%20",
    "https://[2001:db8::1]/",
    "HTTPS://BÜCHER.example/ü"
  ])("stores %s unchanged", async (url) => {
    const reply = await create(await newRealm(), { authorization_url: ` ${url} `, token_url: url })
    expect([reply.status, reply.member("authorization_url"), reply.member("token_url")]).toEqual([201, url, url])
  })
})

describe("Lengths", () => {
  const url = (length: number) => `https://sso.example.test/${"u".repeat(length - 25)}`
  const text = (length: number) => "é".repeat(length)

  test.each([
    ["name", 255, text],
    ["client_id", 255, text],
    ["scopes", 2_048, (length: number) => `${"s".repeat(1_000)} ${"t".repeat(length - 1_001)}`],
    ["authorization_url", 2_048, url],
    ["token_url", 2_048, url],
    ["profile_url", 2_048, url],
    ["id_field", 255, text],
    ["email_field", 255, text],
    ["email_verified_field", 255, text],
    ["first_name_field", 255, text],
    ["last_name_field", 255, text],
    ["name_field", 255, text]
  ] as const)("limits %s to %i characters", async (member, most, ofLength) => {
    const realm = await newRealm()
    const made = await create(realm, { [member]: ofLength(most) })
    const kept = made.member(member)
    expect([made.status, Array.isArray(kept) ? kept.join(" ") : kept]).toEqual([201, ofLength(most)])
    for (const reply of [
      await create(realm, { [member]: ofLength(most + 1) }),
      await realm.put(`${path}/${made.id}`, { auth_provider: { [member]: ofLength(most + 1) } })
    ]) {
      expect([reply.status, problemsOf(reply)]).toEqual([422, [`${member} too_long`]])
      expect(reply.string("errors", 0)).toMatch(new RegExp(` is too long \\(maximum is ${most} characters\\)\\.$`))
    }
  })

  test("limits client_secret to 2,048 characters", async () => {
    const realm = await newRealm()
    expect((await create(realm, { client_secret: text(2_048) })).status).toBe(201)
    expect(problemsOf(await create(realm, { client_secret: text(2_049) }))).toEqual(["client_secret too_long"])
    expect(problemsOf(await create(realm, { client_secret: "a\u0000" }))).toEqual(["client_secret invalid"])
  })
})

describe("Scopes", () => {
  test.each([
    ["openid email", ["openid", "email"]],
    [
      ["openid", "email", "openid"],
      ["openid", "email"]
    ],
    ["  https://sso.example.test/scope\tuser:email ", ["https://sso.example.test/scope", "user:email"]],
    ["", []],
    [[], []],
    [null, []],
    [undefined, []]
  ])("reads %j as %j", async (scopes, expected) => {
    const reply = await create(await newRealm(), { scopes })
    expect([reply.status, reply.member("scopes")]).toEqual([201, expected])
  })

  test.each([[["a b"]], [[""]], ["ä"], ["a\\b"], [["a\u0000"]], [['"']]])("rejects %j", async (scopes) => {
    const reply = await create(await newRealm(), { scopes })
    const sentence = 'Scopes may contain only visible ASCII characters other than " and \\ in each scope.'
    expect(errorOf(reply)).toEqual({ status: 422, errors: [sentence] })
  })

  test("accepts form-encoded scopes", async () => {
    const realm = await newRealm()
    const form = Object.entries(oauth2).map(([name, value]) => `auth_provider[${name}]=${encodeURIComponent(value)}`)
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const body = [...form, "auth_provider[scopes][]=openid", "auth_provider[scopes][]=email"].join("&")
    const reply = await realm.call("POST", path, { body, headers })
    expect([reply.status, reply.member("scopes")]).toEqual([201, ["openid", "email"]])
  })
})

test("returns the error messages in Spanish", async () => {
  const realm = await newRealm()
  const headers = { "accept-language": "es" }
  const body = { auth_provider: { ...oauth2, client_id: "", token_url: "https://u@x.test/", scopes: "ä" } }
  expect((await realm.call("POST", path, { body, headers })).errors).toEqual([
    "ID de cliente: no puede estar en blanco.",
    'Ámbitos: solo admite caracteres ASCII visibles salvo " y \\ en cada ámbito.',
    "URL del token: no puede contener usuario, contraseña ni fragmento."
  ])
  expect((await realm.call("DELETE", `${path}/totp`, { headers })).errors).toEqual([
    "Los proveedores password y totp no se pueden eliminar. Desactívelos en su lugar."
  ])
  expect((await realm.call("GET", `${path}/${uniqueText("x")}`, { headers })).errors).toEqual([
    "Proveedor de autenticación: no se ha encontrado."
  ])
})
