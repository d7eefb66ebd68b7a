import { pbkdf2Sync } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt } from "../support/credentials.ts"
import { BCRYPT, bodyOf, exportedRows, exportOf } from "../support/imports.ts"
import { authenticate, complete, PASSWORD } from "../support/logins.ts"
import { usersAtCommand } from "./Users.ts"

const rowsIn = async (realm: GivenRealm) => exportedRows(await exportOf(realm))

/** Users without a password are told, with why. */
const withoutPassword = (users: string) =>
  `${users} came without a password or a profile. They set a password by mail, with “Forgot password?” on the login page.`

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

  test("its users export, then its file of hashes, make users who log in as before", async () => {
    const { write, run, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "google" })
    const ended = await run(["import", write("tenant.json", bodyOf([ada, bob])), "--preset", "auth0"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      `${withoutPassword("1 user")} Auth0 gives the hashes in a file of their own, which its support sends: import that file as well, with the same preset.\n`
    )
    const passwords = await run(["import", write("hashes.json", bodyOf([hashes])), "--preset", "auth0"])
    expect(passwords).toMatchObject({ code: 0, err: "" })
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

  test("its CSV has a quotation mark before each text, and profiles stay behind with --without-profiles", async () => {
    const { write, run, realm } = await usersAtCommand()
    const csv = `"user_id","email","email_verified","user_metadata.plan"\n"'auth0|1","'ada@example.test","true","'gold"\n`
    await run(["import", write("users.csv", csv), "--preset", "auth0"])
    const without = await run(["import", write("bob.json", bodyOf([bob])), "--preset", "auth0", "--without-profiles"])
    expect(without).toMatchObject({ code: 0 })
    expect(without.err).toContain("1 profile at providers did not come along (google-oauth2 1).")
    expect(await rowsIn(realm)).toMatchObject([
      { reference: "auth0|1", email: "ada@example.test", email_verification: "verified", custom: { plan: "gold" } },
      { email: "bob@example.test", credentials: [] }
    ])
  })
})

describe("users import --preset firebase", () => {
  // User and parameters of the README of Firebase's own scrypt.
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

  test("passwords come along with the parameters of the project", async () => {
    const { write, run, realm } = await usersAtCommand()
    const words = ["--preset", "firebase", "--firebase-hash", write("hash.txt", config)]
    const ended = await run(["import", write("users.json", users), ...words])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toContain("1 profile at providers did not come along (twitter.com 1).")
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

  test("its CSV has no header; without the parameters users come without passwords, which is told", async () => {
    const { write, run, realm } = await usersAtCommand()
    const cells = Array.from({ length: 28 }, () => "")
    cells.splice(0, 6, "u1", "ada@example.test", "true", hash, salt, "Ada Lovelace")
    cells.splice(23, 2, "1590000000000", "1600000000000")
    const ended = await run(["import", write("users.csv", `${cells.join(",")},\n`), "--preset", "firebase"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toMatch(/^1 user came without a password .* With --firebase-hash FILE their passwords come along/)
    expect(await rowsIn(realm)).toMatchObject([{ reference: "u1", created_at: 1_590_000_000, credentials: [] }])
  })

  test("a file without the parameters is wrong usage", async () => {
    const { write, run } = await usersAtCommand()
    const words = ["--preset", "firebase", "--firebase-hash", write("hash.txt", "rounds: 8")]
    const ended = await run(["import", write("users.json", users), ...words])
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.err).toContain(
      "hash.txt does not hold the hash_config of a Firebase project.\nCopy it from the Firebase console"
    )
  })
})

describe("users import --preset cognito", () => {
  test.each([
    [
      "the CSV of its header",
      "users.csv",
      `cognito:username,name,given_name,family_name,email,email_verified,phone_number,cognito:mfa_enabled,custom:plan,gender
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
              { Name: "gender", Value: "f" }
            ],
            UserCreateDate: "2020-05-20T20:40:00.000000+02:00",
            Enabled: true,
            UserStatus: "CONFIRMED"
          }
        ]
      })
    ]
  ])("reads %s: it has no passwords, and what is left out is named", async (_, name, content) => {
    const { write, run, realm } = await usersAtCommand()
    const ended = await run(["import", write(name, content), "--preset", "cognito"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      `${withoutPassword("1 user")} Cognito gives no password hashes away.\nLeft out: gender. To keep one as a custom attribute: --map 'gender=custom.gender'.\n`
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
    const kept = await run(["import", write(name, content), "--preset", "cognito", "--map", "gender=custom.gender"])
    expect(kept.err).not.toContain("Left out")
    expect(await rowsIn(realm)).toMatchObject([{ custom: { plan: "gold", gender: "f" } }])
  })
})

describe("users import --preset keycloak", () => {
  const salt = Buffer.from("sixteen bytes ok")
  const password = (algorithm: string, digest: string) => ({
    type: "password",
    createdDate: 1_590_000_000_000,
    secretData: JSON.stringify({
      value: pbkdf2Sync(PASSWORD, salt, 1_000, 64, digest).toString("base64"),
      salt: salt.toString("base64"),
      additionalParameters: {}
    }),
    credentialData: JSON.stringify({ hashIterations: 1_000, algorithm, additionalParameters: {} })
  })
  const user = (n: number, credentials: ReadonlyArray<object>, more: object = {}) => ({
    id: `id-${n}`,
    createdTimestamp: 1_590_000_000_000,
    username: `user${n}`,
    enabled: true,
    totp: false,
    emailVerified: true,
    firstName: "Ada",
    lastName: "Lovelace",
    email: `user${n}@example.test`,
    credentials,
    disableableCredentialTypes: [],
    requiredActions: [],
    realmRoles: ["default-roles-master"],
    notBefore: 0,
    groups: [],
    ...more
  })
  const otp = (data: object) => ({
    type: "otp",
    userLabel: "Phone",
    secretData: JSON.stringify({ value: "qTYXDZm8vQPzJEmhVxKk" }),
    credentialData: JSON.stringify({
      subType: "totp",
      digits: 6,
      counter: 0,
      period: 30,
      algorithm: "HmacSHA1",
      ...data
    })
  })
  const realmOf = (users: ReadonlyArray<object>) =>
    JSON.stringify(
      { id: "master", realm: "master", roles: { users: [{ id: "no user" }] }, users, clients: [] },
      null,
      2
    )

  test("passwords and authenticator apps of a realm's export go on working", async () => {
    const { write, run, realm } = await usersAtCommand()
    const export_ = realmOf([
      user(1, [password("pbkdf2-sha256", "sha256"), otp({})], { attributes: { plan: ["gold"], locale: ["es"] } }),
      user(2, [password("pbkdf2-sha512", "sha512"), otp({ digits: 8 })]),
      user(3, [password("pbkdf2", "sha1")], { enabled: false }),
      user(4, [{ ...password("pbkdf2", "sha1"), credentialData: '{"algorithm":"own","hashIterations":1}' }]),
      user(5, [], { serviceAccountClientId: "backend" })
    ])
    const ended = await run(["import", write("realm.json", export_), "--preset", "keycloak"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      `${withoutPassword("1 user")}\n1 second factor did not come along: only authenticator apps do, with codes of six digits, 30 seconds and SHA-1.\n1 user passed over: service accounts, which are programs.\nLeft out: realmRoles. To keep one as a custom attribute: --map 'realmRoles=custom.realmRoles'.\n`
    )
    expect(await rowsIn(realm)).toMatchObject([
      {
        reference: "id-1",
        locale: "es",
        custom: { plan: "gold" },
        created_at: 1_590_000_000,
        email_verification: "verified"
      },
      { reference: "id-2" },
      { reference: "id-3", state: "inactive" },
      { reference: "id-4", credentials: [] }
    ])
    const pending = await authenticate(realm, "user1@example.test")
    const code = codeAt("OFKFSWCELJWTQ5SRKB5EURLNNBLHQS3L", STARTS_AT)
    expect((await complete(realm, pending.string("token"), code)).status).toBe(200)
    expect((await authenticate(realm, "user2@example.test")).status).toBe(200)
  })

  test("argon2 of its newer releases comes along", async () => {
    const { write, run, realm } = await usersAtCommand()
    const credential = {
      type: "password",
      // The hash of "password" by argon2id, with the salt "somesalt", of the tests of the reference implementation.
      secretData: JSON.stringify({
        value: Buffer.from("CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "base64").toString("base64"),
        salt: Buffer.from("somesalt").toString("base64")
      }),
      credentialData: JSON.stringify({
        hashIterations: 2,
        algorithm: "argon2",
        additionalParameters: {
          hashLength: ["32"],
          memory: ["65536"],
          type: ["id"],
          version: ["1.3"],
          parallelism: ["1"]
        }
      })
    }
    const ended = await run(["import", write("realm.json", realmOf([user(1, [credential])])), "--preset", "keycloak"])
    expect(ended).toMatchObject({ code: 0 })
    expect((await authenticate(realm, "user1@example.test", "password")).status).toBe(200)
  })
})

describe("users import --preset supabase", () => {
  const user = {
    instance_id: "00000000-0000-0000-0000-000000000000",
    id: "0b1c9a52-3c2e-4f5c-9d4e-8f7a4a1b2c3d",
    aud: "authenticated",
    role: "authenticated",
    email: "ada@example.test",
    encrypted_password: BCRYPT,
    email_confirmed_at: "2020-05-20 18:41:00.5+00",
    confirmation_token: "",
    last_sign_in_at: "2020-09-13 12:26:40+00",
    raw_app_meta_data: '{"provider":"email","providers":["email"]}',
    raw_user_meta_data: '{"full_name":"Ada Lovelace","avatar_url":"https://example.test/a.png","email_verified":true}',
    created_at: "2020-05-20 18:40:00+00",
    phone: "",
    banned_until: "",
    is_anonymous: "false",
    deleted_at: ""
  }
  const expected = {
    reference: user.id,
    email: "ada@example.test",
    email_verification: "verified",
    first_name: "Ada",
    last_name: "Lovelace",
    custom: { avatar_url: "https://example.test/a.png" },
    created_at: 1_590_000_000,
    last_login_at: 1_600_000_000
  }
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

  test.each([
    [
      "CSV",
      "users.csv",
      [
        Object.keys(user),
        Object.values(user).map(cell),
        Object.values({ ...user, id: "2", is_anonymous: "true" }).map(cell)
      ]
        .map((line) => line.join(","))
        .join("\n")
    ],
    [
      "JSON",
      "users.json",
      JSON.stringify([
        { ...user, raw_user_meta_data: JSON.parse(user.raw_user_meta_data), is_anonymous: false, deleted_at: null },
        { ...user, id: "2", is_anonymous: true }
      ])
    ]
  ])("reads auth.users as %s; guests are passed over", async (_, name, content) => {
    const { write, run, realm } = await usersAtCommand()
    const ended = await run(["import", write(name, content), "--preset", "supabase"])
    expect(ended).toMatchObject({ code: 0, err: "1 user passed over: guests without an account.\n" })
    expect(await rowsIn(realm)).toMatchObject([expected])
    expect((await authenticate(realm, "ada@example.test")).status).toBe(200)
  })
})

describe("users import --preset devise", () => {
  test("reads the table of users, and names the columns of the app that it leaves out", async () => {
    const { write, run, realm } = await usersAtCommand()
    const csv = `id,email,encrypted_password,reset_password_token,sign_in_count,current_sign_in_at,confirmed_at,created_at,updated_at,plan,deleted_at
7,ada@example.test,${BCRYPT},\\N,3,2020-09-13 12:26:40.123,2020-05-20 18:41:00,2020-05-20 18:40:00,2020-05-20 18:40:00,gold,
8,bob@example.test,${BCRYPT},\\N,0,\\N,\\N,2020-05-20 18:40:00,2020-05-20 18:40:00,,2021-01-01 00:00:00
`
    const ended = await run(["import", write("users.csv", csv), "--preset", "devise"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      "1 user passed over: deleted in the other system.\nLeft out: plan. To keep one as a custom attribute: --map 'plan=custom.plan'.\n"
    )
    expect(await rowsIn(realm)).toMatchObject([
      {
        reference: "7",
        email_verification: "verified",
        created_at: 1_590_000_000,
        last_login_at: 1_600_000_000.123,
        custom: {}
      }
    ])
    expect((await authenticate(realm, "ada@example.test")).status).toBe(200)
  })
})
