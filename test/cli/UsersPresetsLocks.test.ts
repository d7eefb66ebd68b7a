import { pbkdf2Sync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt } from "../support/credentials.ts"
import { BCRYPT, bodyOf } from "../support/imports.ts"
import { authenticate, complete, PASSWORD } from "../support/logins.ts"
import { rowsIn, usersAtCommand } from "./Users.ts"

const csvOf = (records: ReadonlyArray<Readonly<Record<string, string>>>): string => {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const cell = (text = "") => `"${text.replaceAll('"', '""')}"`
  return [columns.join(","), ...records.map((record) => columns.map((name) => cell(record[name])).join(","))].join("\n")
}

describe("SEC-273: users import keeps the locks of another system", () => {
  test("makes users of Supabase inactive when banned_until is in the future, and keeps its time", async () => {
    const { importing, write, realm } = await usersAtCommand()
    const bans = ["", "2020-01-01 00:00:00+00", "2099-05-20 18:40:00+00", "2126-05-20 18:40:00+00", "infinity", "soon"]
    const users = bans.map((until, n) => ({
      id: `u${n}`,
      aud: "authenticated",
      email: `u${n}@example.test`,
      encrypted_password: BCRYPT,
      banned_until: until
    }))
    const { told } = await importing(write("users.csv", csvOf(users)), ["--preset", "supabase"])
    expect(told).toMatchObject({ created: 6, left_out: { locks: { banned_until: 4 }, columns: { aud: 6 } } })
    expect((await rowsIn(realm)).map(({ state, custom }) => ({ state, custom }))).toEqual([
      { state: "active", custom: {} },
      { state: "active", custom: {} },
      { state: "inactive", custom: { banned_until: "2099-05-20 18:40:00+00" } },
      { state: "inactive", custom: { banned_until: "2126-05-20 18:40:00+00" } },
      { state: "inactive", custom: { banned_until: "infinity" } },
      { state: "inactive", custom: { banned_until: "soon" } }
    ])
    expect((await authenticate(realm, "u0@example.test")).status).toBe(200)
    expect((await authenticate(realm, "u2@example.test")).status).not.toBe(200)
  })

  test("makes users of Devise inactive when they have a locked_at, unless it is mapped to nothing", async () => {
    const { run, write, realm } = await usersAtCommand()
    const users = ["\\N", "2020-05-20 18:40:00.123456"].map((lockedAt, n) => ({
      id: String(n),
      email: `u${n}@example.test`,
      encrypted_password: BCRYPT,
      reset_password_token: "\\N",
      plan: "\\N",
      locked_at: lockedAt
    }))
    const file = write("users.csv", csvOf(users))
    const words = ["import", file, "--preset", "devise"]
    expect(await run(words)).toMatchObject({
      code: 0,
      err: "1 user is inactive because of locked_at, until they are activated here. The time is in the custom attribute locked_at. Without the lock: --map 'locked_at='.\n"
    })
    expect(await rowsIn(realm)).toMatchObject([
      { state: "active", custom: {} },
      { state: "inactive", custom: { locked_at: "2020-05-20 18:40:00.123456" } }
    ])
    const { realm: other, run: again, write: writeThere } = await usersAtCommand()
    const unlocked = ["import", writeThere("users.csv", csvOf(users)), "--preset", "devise", "--map", "locked_at="]
    expect(await again(unlocked)).toMatchObject({ code: 0, err: "" })
    expect(await rowsIn(other)).toMatchObject([{ state: "active" }, { state: "active" }])
  })

  test("makes users of Cognito inactive when they are compromised, archived or disabled", async () => {
    const { importing, write, realm } = await usersAtCommand()
    const user = (n: number, more: object) => ({
      Username: `u${n}`,
      Attributes: [{ Name: "email", Value: `u${n}@example.test` }],
      Enabled: true,
      ...more
    })
    const users = [
      user(0, { UserStatus: "CONFIRMED" }),
      user(1, { UserStatus: "COMPROMISED" }),
      user(2, { UserStatus: "ARCHIVED" }),
      user(3, { UserStatus: "CONFIRMED", Enabled: false, UserMFASettingList: ["SOFTWARE_TOKEN_MFA"] })
    ]
    const { told } = await importing(write("users.json", JSON.stringify({ Users: users })), ["--preset", "cognito"])
    expect(told).toMatchObject({ created: 4, left_out: { second_factors: 1, columns: {} } })
    expect((await rowsIn(realm)).map(({ state }) => state)).toEqual(["active", "inactive", "inactive", "inactive"])
  })

  test("leaves out a password of Keycloak that had to be replaced, and counts the other required actions", async () => {
    const { importing, run, write, realm } = await usersAtCommand()
    const salt = Buffer.from("sixteen bytes ok")
    const password = {
      type: "password",
      secretData: JSON.stringify({
        value: pbkdf2Sync(PASSWORD, salt, 1_000, 64, "sha256").toString("base64"),
        salt: salt.toString("base64")
      }),
      credentialData: JSON.stringify({ hashIterations: 1_000, algorithm: "pbkdf2-sha256" })
    }
    const user = (n: number, requiredActions: ReadonlyArray<string>) => ({
      id: `u${n}`,
      username: `u${n}@example.test`,
      email: `u${n}@example.test`,
      emailVerified: true,
      enabled: true,
      requiredActions,
      credentials: [password, { ...password, type: "password-history" }]
    })
    const file = write(
      "realm.json",
      JSON.stringify({
        users: [user(0, []), user(1, ["UPDATE_PASSWORD"]), user(2, ["VERIFY_EMAIL"]), user(3, ["CONFIGURE_TOTP"])]
      })
    )
    const { told } = await importing(file, ["--preset", "keycloak"])
    expect(told).toMatchObject({
      created: 4,
      left_out: { temporary_passwords: 1, passwords: 0, second_factors: 0, required_actions: { CONFIGURE_TOTP: 1 } }
    })
    expect(await rowsIn(realm)).toMatchObject([
      { email_verification: "verified", credentials: [{ credential_type: "password" }] },
      { email_verification: "verified", credentials: [] },
      { email_verification: "none", credentials: [{ credential_type: "password" }] },
      { email_verification: "verified", credentials: [{ credential_type: "password" }] }
    ])
    expect((await authenticate(realm, "u0@example.test")).status).toBe(200)
    expect((await authenticate(realm, "u1@example.test")).status).not.toBe(200)
    const again = await run(["import", file, "--preset", "keycloak"])
    expect(again.err).toContain(
      "1 password did not come along, since the users had to replace them at their next login.\n1 step that the next login was to ask for did not come along (CONFIGURE_TOTP 1).\n"
    )
  })
})

test("reads passwords and authenticator apps of Keycloak in the form before version 8", async () => {
  const { run, write, realm } = await usersAtCommand()
  const salt = Buffer.from("sixteen bytes ok")
  const user = {
    id: "u1",
    username: "ada",
    email: "ada@example.test",
    emailVerified: true,
    enabled: true,
    credentials: [
      {
        type: "password",
        hashedSaltedValue: pbkdf2Sync(PASSWORD, salt, 27_500, 64, "sha256").toString("base64"),
        salt: salt.toString("base64"),
        hashIterations: 27_500,
        counter: 0,
        algorithm: "pbkdf2-sha256",
        digits: 0,
        period: 0,
        createdDate: 1_590_000_000_000,
        config: {}
      },
      {
        type: "totp",
        device: "Phone",
        hashedSaltedValue: "qTYXDZm8vQPzJEmhVxKk",
        hashIterations: 0,
        counter: 0,
        algorithm: "HmacSHA1",
        digits: 6,
        period: 30,
        config: {}
      },
      { type: "hotp", hashedSaltedValue: "qTYXDZm8vQPzJEmhVxKk", counter: 7, algorithm: "HmacSHA1", digits: 6 }
    ]
  }
  const ended = await run(["import", write("realm.json", JSON.stringify({ users: [user] })), "--preset", "keycloak"])
  expect(ended).toMatchObject({ code: 0 })
  expect(ended.err).toBe(
    "1 second factor did not come along: only authenticator apps do, with codes of six digits, 30 seconds and SHA-1.\n"
  )
  const pending = await authenticate(realm, "ada@example.test")
  const code = codeAt("OFKFSWCELJWTQ5SRKB5EURLNNBLHQS3L", STARTS_AT)
  expect((await complete(realm, pending.string("token"), code)).status).toBe(200)
})

describe("SEC-274: users import keeps the profiles at providers of another system", () => {
  test.each([
    [
      "identities of Cognito",
      "cognito",
      "users.json",
      JSON.stringify({
        Users: [
          {
            Username: "Google_103",
            UserStatus: "EXTERNAL_PROVIDER",
            Attributes: [
              { Name: "email", Value: "ada@example.test" },
              {
                Name: "identities",
                Value:
                  '[{"userId":"103547991597142817347","providerName":"Google","providerType":"Google","issuer":null,"primary":true,"dateCreated":1590000000000},{"userId":"7","providerName":"Corp","providerType":"SAML"}]'
              }
            ]
          }
        ]
      }),
      { Corp: 1 }
    ],
    [
      "columns of an identity in Auth0's CSV",
      "auth0",
      "users.csv",
      csvOf([
        {
          user_id: "'google-oauth2|103547991597142817347",
          email: "'ada@example.test",
          "identities[0].provider": "'google-oauth2",
          "identities[0].user_id": "'103547991597142817347",
          "identities[1].provider": "'twitter",
          "identities[1].user_id": "'7"
        }
      ]),
      { twitter: 1 }
    ],
    [
      "identities of Supabase's API",
      "supabase",
      "users.json",
      JSON.stringify({
        users: [
          {
            id: "u1",
            aud: "authenticated",
            email: "ada@example.test",
            app_metadata: { provider: "google", providers: ["google", "apple"] },
            user_metadata: {},
            identities: [
              { provider: "google", identity_data: { sub: "103547991597142817347" } },
              { provider: "apple", identity_data: { sub: "7" } },
              { provider: "email", identity_data: { sub: "u1" } }
            ]
          }
        ]
      }),
      { apple: 1 }
    ],
    [
      "provider and uid of OmniAuth",
      "devise",
      "users.csv",
      csvOf([
        { id: "1", email: "ada@example.test", provider: "google_oauth2", uid: "103547991597142817347" },
        { id: "2", email: "bob@example.test", provider: "twitter", uid: "7" }
      ]),
      { twitter: 1 }
    ],
    [
      "social links of early releases of Keycloak",
      "keycloak",
      "realm.json",
      JSON.stringify({
        users: [
          {
            id: "u1",
            username: "ada",
            email: "ada@example.test",
            socialLinks: [
              { socialProvider: "google", socialUserId: "103547991597142817347", socialUsername: "ada" },
              { socialProvider: "twitter", socialUserId: "7", socialUsername: "ada" }
            ]
          }
        ]
      }),
      { twitter: 1 }
    ]
  ])("imports %s, and counts those without such a provider", async (_, preset, name, content, profiles) => {
    const { importing, write, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "google" })
    const { code, told } = await importing(write(name, content), ["--preset", preset])
    expect({ code, profiles: told.left_out.profiles }).toEqual({ code: 0, profiles })
    expect((await rowsIn(realm))[0]).toMatchObject({
      email: "ada@example.test",
      credentials: [{ credential_type: "google", provider_user_id: "103547991597142817347" }]
    })
  })

  test("counts the providers of Supabase's table and the directories of Keycloak, which name no ID", async () => {
    const { importing, write } = await usersAtCommand()
    const table = csvOf([
      {
        id: "u1",
        email: "ada@example.test",
        raw_app_meta_data: '{"provider":"email","providers":["email","google"],"role":"editor"}',
        raw_user_meta_data: "{}"
      }
    ])
    expect((await importing(write("users.csv", table), ["--preset", "supabase"])).told.left_out.profiles).toEqual({
      google: 1
    })
    const export_ = JSON.stringify({
      users: [{ id: "u2", username: "b", email: "b@example.test", federationLink: "l1" }]
    })
    expect((await importing(write("realm.json", export_), ["--preset", "keycloak"])).told.left_out.profiles).toEqual({
      "directory l1": 1
    })
  })
})

describe("users import --preset auth0", () => {
  const names = async (name: string, content: string) => {
    const { importing, write, realm } = await usersAtCommand()
    expect(await importing(write(name, content), ["--preset", "auth0"])).toMatchObject({ code: 0 })
    return (await rowsIn(realm)).map(({ last_name: last, first_name: first }) => [first, last])
  }
  const user = { user_id: "auth0|1", email: "ada@example.test", given_name: "'t Joseph", family_name: "'t Hooft" }

  test("keeps the apostrophe that a name in JSON begins with", async () => {
    expect(await names("users.ndjson", bodyOf([user]))).toEqual([["'t Joseph", "'t Hooft"]])
    expect(await names("users.json", JSON.stringify([user]))).toEqual([["'t Joseph", "'t Hooft"]])
  })

  test("takes one apostrophe from each text of a CSV that has one before its IDs, else from formulas", async () => {
    const guarded = Object.fromEntries(Object.entries(user).map(([name, value]) => [name, `'${value}`]))
    expect(await names("users.csv", csvOf([guarded]))).toEqual([["'t Joseph", "'t Hooft"]])
    expect(await names("users.csv", csvOf([{ ...user, given_name: "'=1+1" }]))).toEqual([["=1+1", "'t Hooft"]])
  })
})
