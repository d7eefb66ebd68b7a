import { hash } from "@node-rs/argon2"
import { describe, expect, test } from "vitest"
import { testParams } from "#domain/PasswordHash"
import { knownHashes } from "../support/KnownHashes.ts"
import { authenticate, authenticateV1, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { hashesComputed, quickHash, quickUser } from "../support/passwordEntryPoints.ts"
import { query } from "../support/query.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const element = (password_hash: string) => ({ credential_type: "password", password_hash })

/** Matches the hashes that this service creates. */
const current = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/

/** The slowest hashes, which are skipped. Other hashes of the same kinds are tested. */
const slowHashes = ["bcrypt, Wikipedia", "scrypt, passlib's page"]

/** Cheap Argon2 hashes: 64 KiB, 3 passes, 2 lanes. */
const argon2Hashes = [
  "$argon2d$v=19$m=64,t=3,p=2$YSBzYWx0IG9mIHNpeHRlZQ$PL3VdBtNnrq+8Pv8C+82j36GlvZBs6+8XKEEE0DdT0k",
  "$argon2i$v=19$m=64,t=3,p=2$YSBzYWx0IG9mIHNpeHRlZQ$YTrqLnLgcYJc30xxZ941QHx/gQWyOrdiAApvQah+f8k",
  "$argon2id$v=19$m=64,t=3,p=2$YSBzYWx0IG9mIHNpeHRlZQ$PVHimCjGepwcdh4lYaxlT5sJ/ANTaBcFWmxFLvkc4XU"
].map((phc) => [phc.slice(0, 9), phc, PASSWORD] as const)

const imported = [...knownHashes.filter(([source]) => !slowHashes.includes(source)), ...argon2Hashes]

describe("a user imported with a password hash", () => {
  test("SEC-16: can log in under v1 and v2, which rehashes the password as argon2id", () =>
    ownService(
      async ({ given, sql }) => {
        const realm = await given.realm()
        const stored = async (userId: string) => {
          const rows = sql<{ readonly password_hash: string }>`select password_hash from credentials
          where realm_id = ${realm.id} and user_id = ${userId}`
          return (await query(rows))[0]?.password_hash
        }
        const expected: Array<unknown> = []
        for (const [n, [source, password_hash, password]] of imported.entries()) {
          const [first, second] = n % 2 === 0 ? [authenticate, authenticateV1] : [authenticateV1, authenticate]
          const user = await realm.user({ credentials: [element(password_hash)] })
          const session = await realm.session(user.id)
          expect([source, await stored(user.id)]).toEqual([source, password_hash])
          expect([source, (await first(realm, user.id, password)).status]).toEqual([source, 200])
          const renewed = await stored(user.id)
          expect([source, renewed]).toEqual([source, expect.stringMatching(current)])
          expect([source, (await second(realm, user.id, password)).status]).toEqual([source, 200])
          expect([source, await stored(user.id)]).toEqual([source, renewed])
          expect([source, (await realm.get(`/v2/sessions/${session.id}`)).status]).toEqual([source, 200])
          expected.push(...["created", "login.succeeded", "login.succeeded"].map((type) => [user.id, `user.${type}`]))
        }
        expect(
          (await realm.seen.all()).slice(-expected.length).map((seen) => [seen["user_id"], seen["event_type"]])
        ).toEqual(expected)
      },
      { realHashes: true }
    ))

  test("SEC-16: isn't rehashed if the hash already has the current parameters", async () => {
    const realm = await newRealm()
    const { memory: memoryCost, passes: timeCost, lanes: parallelism } = testParams
    const password_hash = await hash(PASSWORD, { memoryCost, timeCost, parallelism })
    const user = await realm.user({ credentials: [element(password_hash)] })
    const before = await hashesComputed(realm)
    expect((await authenticate(realm, user.id)).status).toBe(200)
    expect(await hashesComputed(realm)).toBe(before + 1)
  })

  test("SEC-16: can log in several times concurrently at the first login", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? authenticate : authenticateV1)(realm, user.id)))
    )
    expect(result.map(({ status }) => status)).toEqual(result.map(() => 200))
    expect(events.map(({ event_type }) => event_type)).toEqual(result.map(() => "user.login.succeeded"))
  })

  test("SEC-16: can change the imported password", async () => {
    const realm = await newRealm()
    for (const version of ["v1", "v2"]) {
      const user = await quickUser(realm)
      const password = "ten green tortoises"
      const members = { current_password: PASSWORD, password, password_confirmation: password }
      const reply = await realm.put(`/${version}/users/${user.id}/update_password`, { user: members })
      expect(reply.status).toBe(version === "v1" ? 204 : 200)
      expect((await authenticate(realm, user.id, password)).status).toBe(200)
    }
  })

  test("SEC-16: can keep a password that breaks the current rules", async () => {
    const realm = await newRealm()
    const user = await realm.user({ credentials: [element(quickHash("U*U"))] })
    expect((await authenticate(realm, user.id, "U*U")).status).toBe(200)
    expect((await authenticate(realm, user.id, "U*U")).status).toBe(200)
  })
})

const outOfRange = (bound: string) => `Password hash has parameters outside the accepted range: ${bound}.`
const UNSUPPORTED =
  "Password hash is not in an accepted format. Accepted are argon2id, argon2i, argon2d, bcrypt, scrypt, PBKDF2 (SHA-1, SHA-256, SHA-512), SSHA, phpass, Firebase-scrypt."
const salt = "A".repeat(22)
const digest = "A".repeat(43)

describe("a hash that can't be checked or is too expensive to check", () => {
  test.each([
    [
      `$argon2id$v=19$m=2147483648,t=2,p=1$${salt}$${digest}`,
      outOfRange("for argon2id, m must be between 8 and 262144")
    ],
    [`$argon2id$v=19$m=262145,t=2,p=1$${salt}$${digest}`, outOfRange("for argon2id, m must be between 8 and 262144")],
    [
      `$argon2id$v=19$m=19456,t=4294967295,p=1$${salt}$${digest}`,
      outOfRange("for argon2id, t must be between 1 and 10")
    ],
    [`$argon2i$v=19$m=19456,t=2,p=16777215$${salt}$${digest}`, outOfRange("for argon2i, p must be between 1 and 8")],
    [`$2b$31$${"a".repeat(53)}`, outOfRange("for bcrypt, cost must be between 4 and 13")],
    [`$scrypt$ln=30,r=8,p=1$${salt}$${digest}`, outOfRange("for scrypt, N*r*p must be between 1 and 1048576")],
    [`$scrypt$ln=14,r=8,p=1073741823$${salt}$${digest}`, outOfRange("for scrypt, p must be between 1 and 16")],
    [
      `$pbkdf2-sha256$4000000000$${salt}$${digest}`,
      outOfRange("for pbkdf2-sha256, iterations must be between 1 and 2000000")
    ],
    [
      `pbkdf2_sha256$4000000000$seasalt$${digest}=`,
      outOfRange("for pbkdf2-sha256, iterations must be between 1 and 2000000")
    ],
    [`$P$S${"a".repeat(8)}${"a".repeat(21)}.`, outOfRange("for phpass, rounds must be between 128 and 32768")],
    [
      `$fbscrypt$v=1,n=30,r=8,p=1,ss=Bw==,sk=${"A".repeat(86)}==$${salt}==$${"A".repeat(86)}==`,
      outOfRange("for fbscrypt, N*r*p must be between 1 and 1048576")
    ],
    [`$argon2id$v=19$m=262144,t=4,p=1$${salt}$${digest}`, outOfRange("for argon2id, m*t must be between 8 and 786432")],
    [`$2y$14$${"a".repeat(53)}`, outOfRange("for bcrypt, cost must be between 4 and 13")],
    [`$scrypt$ln=18,r=8,p=1$${salt}$${digest}`, outOfRange("for scrypt, N*r*p must be between 1 and 1048576")],
    [
      `$pbkdf2-sha512$1000001$${salt}$${"A".repeat(86)}`,
      outOfRange("for pbkdf2-sha512, iterations must be between 1 and 1000000")
    ],
    [`$P$E${"a".repeat(8)}${"a".repeat(21)}.`, outOfRange("for phpass, rounds must be between 128 and 32768")],
    [`{SSHA}${Buffer.alloc(20 + 65).toString("base64")}`, outOfRange("for SSHA, len(salt) must be between 4 and 64")],
    ["5f4dcc3b5aa765d61d8327deb882cf99", UNSUPPORTED],
    ["password", UNSUPPORTED],
    [`$argon2id$v=19$m=19456,t=2,p=1$${salt}`, UNSUPPORTED],
    ["", UNSUPPORTED]
  ])("SEC-16, SEC-89: %s is rejected with 422 at every creation, before any hashing: %s", async (password_hash, sentence) => {
    const realm = await newRealm()
    const user = await realm.user()
    const before = await hashesComputed(realm)
    const events = await realm.seen.caused(async () => {
      const email = "jo@example.test"
      const credentials = [element(password_hash)]
      for (const reply of [
        await realm.post("/v2/users", { user: { email, credentials } }),
        await realm.post("/v1/users", { user: { user_type: "human", username: "jo", email, credentials } }),
        await realm.post("/v2/credentials", { credential: { user_id: user.id, ...element(password_hash) } }),
        await realm.post("/v1/credentials", { credential: { user_id: user.id, ...element(password_hash) } })
      ]) {
        expect(statusAndErrors(reply)).toEqual([422, [sentence]])
      }
    })
    expect([events, await hashesComputed(realm)]).toEqual([[], before])
  })

  test("SEC-89: matches no password if already stored, at the cost of one hash", () =>
    ownService(async ({ given, sql }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      const stored = `$2y$14$${"a".repeat(53)}`
      await query(
        sql`update credentials set password_hash = ${stored} where realm_id = ${realm.id} and user_id = ${user.id}`
      )
      const { result, events } = await realm.seen.during(async () => {
        const before = await hashesComputed(realm)
        const rejected = statusAndErrors(await authenticate(realm, user.id))
        const token = (await realm.post(`/v2/users/${user.id}/generate_password_token`, {})).string("token")
        return { rejected, token, hashed: (await hashesComputed(realm)) - before }
      })
      expect([result.rejected, result.hashed]).toEqual([[422, ["Login failed."]], 1])
      expect(events.map(({ event_type }) => event_type)).toEqual(["user.login.failed", "user.password.resetting"])
      const password = "ten green tortoises"
      const reset = await realm.post("/v2/users/reset_password_with_token", { user: { token: result.token, password } })
      expect(reset.status).toBe(200)
      expect((await authenticate(realm, user.id, password)).status).toBe(200)
    }))
})
