import { pbkdf2Sync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt } from "../support/credentials.ts"
import { BCRYPT } from "../support/imports.ts"
import { authenticate, complete, PASSWORD } from "../support/logins.ts"
import { rowsIn, usersAtCommand, withoutPassword } from "./Users.ts"

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

  test("imports passwords and authenticator apps of a realm export, which continue to work", async () => {
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
      `${withoutPassword("1 user")}\n1 second factor not imported: only authenticator apps with six digits, 30 seconds and SHA-1 are supported.\n1 user skipped: service accounts.\nSkipped columns: realmRoles 4. To import one as a custom attribute: --map 'realmRoles=custom.realmRoles'.\n`
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

  test("imports argon2 hashes of newer Keycloak releases", async () => {
    const { write, run, realm } = await usersAtCommand()
    const credential = {
      type: "password",
      // The argon2id hash of "password" with the salt "somesalt" in the tests of the reference implementation.
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
  ])("reads auth.users as %s and skips anonymous users", async (_, name, content) => {
    const { write, run, realm } = await usersAtCommand()
    const ended = await run(["import", write(name, content), "--preset", "supabase"])
    expect(ended).toMatchObject({
      code: 0,
      err: "1 user skipped: guests without an account.\nSkipped columns: instance_id 1, aud 1, role 1. To import one as a custom attribute: --map 'instance_id=custom.instance_id'.\n"
    })
    expect(await rowsIn(realm)).toMatchObject([expected])
    expect((await authenticate(realm, "ada@example.test")).status).toBe(200)
  })
})

describe("users import --preset devise", () => {
  test("reads the users table and lists the app's own columns that the import ignores", async () => {
    const { write, run, realm } = await usersAtCommand()
    const csv = `id,email,encrypted_password,reset_password_token,sign_in_count,current_sign_in_at,confirmed_at,created_at,updated_at,plan,deleted_at
7,ada@example.test,${BCRYPT},\\N,3,2020-09-13 12:26:40.123,2020-05-20 18:41:00,2020-05-20 18:40:00,2020-05-20 18:40:00,gold,
8,bob@example.test,${BCRYPT},\\N,0,\\N,\\N,2020-05-20 18:40:00,2020-05-20 18:40:00,,2021-01-01 00:00:00
`
    const ended = await run(["import", write("users.csv", csv), "--preset", "devise"])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      "1 user skipped: deleted in the other system.\nSkipped columns: plan 1, sign_in_count 1, updated_at 1. To import one as a custom attribute: --map 'plan=custom.plan'.\n"
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
