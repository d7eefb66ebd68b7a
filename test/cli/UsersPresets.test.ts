import { describe, expect, test } from "vitest"
import { BCRYPT, bodyOf } from "../support/imports.ts"
import { authenticate } from "../support/logins.ts"
import { rowsIn, usersAtCommand, withoutPassword } from "./Users.ts"

describe("users import --preset auth0", () => {
  const ada = {
    user_id: "auth0|5dea9f9c82dd7c0e76e4ec93",
    email: "ada@example.test",
    email_verified: true,
    name: "ada@example.test",
    nickname: "ada",
    given_name: "Ada",
    family_name: "Lovelace",
    created_at: "2020-05-20T18:40:00.000Z",
    last_login: "2021-01-01T00:00:00.000Z",
    logins_count: 7,
    blocked: false,
    user_metadata: { plan: "gold", address: { city: "London" } },
    app_metadata: { roles: ["admin"] },
    identities: [{ provider: "auth0", user_id: "5dea9f9c82dd7c0e76e4ec93", connection: "Users", isSocial: false }]
  }
  const bob = {
    user_id: "google-oauth2|103547991597142817347",
    email: "bob@example.test",
    email_verified: true,
    name: "Bob van Dyke",
    identities: [{ provider: "google-oauth2", user_id: "103547991597142817347", isSocial: true }]
  }
  const hashes = {
    _id: { $oid: "5dea9f9c82dd7c0e76e4ec93" },
    email_verified: true,
    email: "ada@example.test",
    passwordHash: BCRYPT,
    password_set_date: { $date: "2021-03-05T16:35:16.775Z" },
    tenant: "dev",
    connection: "Users",
    _tmp_is_unique: true
  }

  test("SEC-238: preserves numeric IDs exactly, and rejects metadata numbers that would lose digits", async () => {
    const { write, run, realm, read } = await usersAtCommand()
    await realm.authProvider({ provider_type: "facebook" })
    const lines = ["10155555555555557", "10155555555555559"].map((digits) =>
      bodyOf([
        {
          user_id: `facebook|${digits}`,
          email: `${digits}@example.test`,
          identities: [{ provider: "facebook", user_id: "DIGITS" }]
        }
      ]).replace('"DIGITS"', digits)
    )
    const metadata = bodyOf([{ user_id: "auth0|1", email: "al@example.test", user_metadata: { big: "DIGITS" } }])
    const file = write("tenant.json", lines.join("") + metadata.replace('"DIGITS"', "10155555555555557"))
    const ended = await run(["import", file, "--preset", "auth0"])
    expect(ended.code).toBe(1)
    const rows = await rowsIn(realm)
    expect(rows.map((row) => Object(row)["credentials"][0].provider_user_id)).toEqual([
      "10155555555555557",
      "10155555555555559"
    ])
    expect(read("tenant.json.refused.ndjson")).toContain(
      "custom.big has too many digits for a number. Send it as text, in quotes."
    )
  })

  test("imports the user export and then the file of hashes, so that users log in as before", async () => {
    const { write, run, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "google" })
    const ended = await run(["import", write("tenant.json", bodyOf([ada, bob])), "--preset", "auth0"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      `${withoutPassword("1 user")} Auth0 provides the hashes in a separate file from its support. Import that file as well, with the same preset.\nSkipped columns: nickname 1, logins_count 1. To import one as a custom attribute: --map 'nickname=custom.nickname'.\n`
    )
    const passwords = await run(["import", write("hashes.json", bodyOf([hashes])), "--preset", "auth0"])
    expect(passwords).toMatchObject({
      code: 0,
      err: "Skipped columns: password_set_date 1, tenant 1, connection 1, _tmp_is_unique 1. To import one as a custom attribute: --map 'tenant=custom.tenant'.\n"
    })
    expect(passwords.out).toMatch(/\n  0 created\n  1 updated\n$/)
    expect(await rowsIn(realm)).toMatchObject([
      {
        reference: "auth0|5dea9f9c82dd7c0e76e4ec93",
        email: "ada@example.test",
        email_verification: "verified",
        first_name: "Ada",
        last_name: "Lovelace",
        state: "active",
        custom: { plan: "gold", address_city: "London", roles: ["admin"] },
        created_at: 1_590_000_000,
        last_login_at: 1_609_459_200
      },
      {
        first_name: "Bob van",
        last_name: "Dyke",
        credentials: [{ credential_type: "google", provider_user_id: "103547991597142817347" }]
      }
    ])
    expect((await authenticate(realm, "ada@example.test")).status).toBe(200)
  })

  test("reads a CSV with an apostrophe before each text", async () => {
    const { write, run, realm } = await usersAtCommand()
    const csv = `"user_id","email","email_verified","user_metadata.plan"\n"'auth0|1","'ada@example.test","true","'gold"\n`
    await run(["import", write("users.csv", csv), "--preset", "auth0"])
    const without = await run(["import", write("bob.json", bodyOf([bob])), "--preset", "auth0", "--without-profiles"])
    expect(without).toMatchObject({ code: 0 })
    expect(without.err).toContain("1 profile at providers not imported (google-oauth2 1).")
    expect(await rowsIn(realm)).toMatchObject([
      { reference: "auth0|1", email: "ada@example.test", email_verification: "verified", custom: { plan: "gold" } },
      { email: "bob@example.test", credentials: [] }
    ])
  })
})

describe("users import --preset firebase", () => {
  // The user and parameters in the README of Firebase's scrypt.
  const config = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`
  const [hash, salt] = [
    "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    "42xEC+ixf3L2lw=="
  ]
  const users = JSON.stringify(
    {
      users: [
        {
          localId: "u1",
          email: "ada@example.test",
          emailVerified: true,
          passwordHash: hash,
          salt,
          displayName: "Ada Lovelace",
          lastSignedInAt: "1600000000000",
          createdAt: "1590000000000",
          phoneNumber: "+441234",
          customAttributes: '{"plan":"gold"}',
          providerUserInfo: []
        },
        { localId: "u2", email: "tim@example.test", providerUserInfo: [{ providerId: "twitter.com", rawId: "7" }] }
      ]
    },
    null,
    2
  )

  test("imports passwords with the hash parameters of the project", async () => {
    const { write, run, realm } = await usersAtCommand()
    const words = ["--preset", "firebase", "--firebase-hash", write("hash.txt", config)]
    const ended = await run(["import", write("users.json", users), ...words])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toContain("1 profile at providers not imported (twitter.com 1).")
    expect(await rowsIn(realm)).toMatchObject([
      {
        reference: "u1",
        first_name: "Ada",
        last_name: "Lovelace",
        email_verification: "verified",
        created_at: 1_590_000_000,
        last_login_at: 1_600_000_000,
        custom: { plan: "gold", phone_number: "+441234" }
      },
      { reference: "u2", email_verification: "none" }
    ])
    expect((await authenticate(realm, "ada@example.test", "user1password")).status).toBe(200)
  })

  test("imports users without passwords, and reports the omission, if the hash parameters are missing", async () => {
    const { write, run, realm } = await usersAtCommand()
    const cells = Array.from({ length: 28 }, () => "")
    cells.splice(0, 6, "u1", "ada@example.test", "true", hash, salt, "Ada Lovelace")
    cells.splice(23, 2, "1590000000000", "1600000000000")
    const ended = await run(["import", write("users.csv", `${cells.join(",")},\n`), "--preset", "firebase"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toMatch(
      /^1 user imported without a password .* To import their passwords, use --firebase-hash FILE/
    )
    expect(await rowsIn(realm)).toMatchObject([{ reference: "u1", created_at: 1_590_000_000, credentials: [] }])
  })

  test("rejects a parameter file without the parameters as wrong usage", async () => {
    const { write, run } = await usersAtCommand()
    const words = ["--preset", "firebase", "--firebase-hash", write("hash.txt", "rounds: 8")]
    const ended = await run(["import", write("users.json", users), ...words])
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.err).toContain(
      "hash.txt doesn't contain a Firebase project's hash_config.\nCopy it from the Firebase console"
    )
  })
})

describe("users import --preset cognito", () => {
  test.each([
    [
      "the CSV with Cognito's header",
      "users.csv",
      `cognito:username,name,given_name,family_name,email,email_verified,phone_number,cognito:mfa_enabled,custom:plan,gen'der\u001b[2J
ada,,Ada,Lovelace,ada@example.test,true,+441234,false,gold,f
`
    ],
    [
      "the JSON of list-users",
      "users.json",
      JSON.stringify({
        Users: [
          {
            Username: "ada",
            Attributes: [
              { Name: "email", Value: "ada@example.test" },
              { Name: "email_verified", Value: "true" },
              { Name: "given_name", Value: "Ada" },
              { Name: "family_name", Value: "Lovelace" },
              { Name: "phone_number", Value: "+441234" },
              { Name: "custom:plan", Value: "gold" },
              { Name: "gen'der\u001b[2J", Value: "f" }
            ],
            UserCreateDate: "2020-05-20T20:40:00.000000+02:00",
            Enabled: true,
            UserStatus: "CONFIRMED"
          }
        ]
      })
    ]
  ])("SEC-233: reads %s without passwords, and names the ignored columns", async (_, name, content) => {
    const { write, run, realm } = await usersAtCommand()
    const ended = await run(["import", write(name, content), "--preset", "cognito"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      `${withoutPassword("1 user")} Cognito doesn't export password hashes.\nSkipped columns: gen'der [2J 1. To import one as a custom attribute: --map 'gen'\\''der [2J=custom.gen_der__2J'.\n`
    )
    expect(await rowsIn(realm)).toMatchObject([
      {
        reference: "ada",
        email: "ada@example.test",
        email_verification: "verified",
        first_name: "Ada",
        last_name: "Lovelace",
        custom: { plan: "gold", phone_number: "+441234" }
      }
    ])
    const kept = await run([
      "import",
      write(name, content),
      "--preset",
      "cognito",
      "--map",
      "gen'der\u001b[2J=custom.gender"
    ])
    expect(kept.err).not.toContain("Left out")
    expect(await rowsIn(realm)).toMatchObject([{ custom: { plan: "gold", gender: "f" } }])
  })
})
