import { pbkdf2Sync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt } from "../support/credentials.ts"
import { BCRYPT } from "../support/imports.ts"
import { authenticate, complete, PASSWORD } from "../support/logins.ts"
import { csvOf, rowsIn, usersAtCommand } from "./Users.ts"

describe("SEC-261: users import with locked users", () => {
  test("makes Supabase users inactive if banned_until is in the future, and stores the time", async () => {
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

  test("makes Devise users with a locked_at inactive, unless the column is mapped to nothing", async () => {
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
      err: "1 user is inactive because of locked_at, until you activate them. The time is in the custom attribute locked_at. To import them as active: --map 'locked_at='.\n"
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

  test("makes Cognito users inactive if they are compromised, archived or disabled", async () => {
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

  test("omits a Keycloak password that must be replaced, and counts the other required actions", async () => {
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
      "1 password not imported: users had to change them at their next login.\n1 required action for the next login not imported (CONFIGURE_TOTP 1).\n"
    )
  })
})

test("reads passwords and authenticator apps in Keycloak's format before version 8", async () => {
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
    "1 second factor not imported: only authenticator apps with six digits, 30 seconds and SHA-1 are supported.\n"
  )
  const pending = await authenticate(realm, "ada@example.test")
  const code = codeAt("OFKFSWCELJWTQ5SRKB5EURLNNBLHQS3L", STARTS_AT)
  expect((await complete(realm, pending.string("token"), code)).status).toBe(200)
})
