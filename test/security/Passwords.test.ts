import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { authenticateV1, enrolled, statusAndErrors } from "../support/logins.ts"
import {
  changers,
  type EntryPoint,
  entryPoints,
  hashesComputed,
  type Person,
  setters
} from "../support/passwordEntryPoints.ts"
import { service } from "../support/sallyport.ts"

const newRealm = async (): Promise<GivenRealm> => (await service()).given.realm({ name: uniqueText("Wonderland") })

const newPerson = (): Person => ({
  username: uniqueText("white-rabbit"),
  email: `${uniqueText("jolanda.meier")}@example.test`,
  first_name: "Dörte",
  last_name: "van der Hatter"
})

const setPasswordRules = async (realm: GivenRealm, auth_provider: object) => {
  const reply = await realm.put("/v2/auth_providers/password", { auth_provider })
  expect(reply.status).toBe(200)
}

const GOOD = "nine blue walruses"
const tooShort = (minimum: number) => `Password is too short (minimum is ${minimum} characters).`
const COMMON = "Password is too common. Choose a different one."
const CONTEXT = "Password can't contain the name of the realm, or a name or email of the user."

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))

/** Asserts that an entry point rejects each password of a new user with its message and without a change or event. */
const expectAllRejected = async (
  realm: GivenRealm,
  entryPoint: EntryPoint,
  table: ReadonlyArray<readonly [password: unknown, sentence: string]>
) => {
  const { set } = await entryPoint.open(realm, newPerson())
  const before = await hashesComputed(realm)
  const { events } = await realm.seen.during(async () => {
    for (const [password, sentence] of table) {
      expect([entryPoint.name, password, ...statusAndErrors(await set(password))]).toEqual([
        entryPoint.name,
        password,
        422,
        [sentence]
      ])
    }
  })
  expect(events).toEqual([])
  expect(await hashesComputed(realm)).toBe(before)
}

describe.each(entryPoints)("$name", (entryPoint) => {
  test("SEC-01, SEC-02: rejects short, common and guessable passwords before hashing", async () => {
    const realm = await newRealm()
    await expectAllRejected(realm, entryPoint, [
      ["", "Password can't be blank."],
      ["x7!qzwp", tooShort(8)],
      ["𝒙𝟕!𝒒𝒛", tooShort(8)],
      ["x".repeat(513), "Password is too long (maximum is 512 characters)."],
      ["Password1", COMMON],
      ["QWERTYUIOP", COMMON],
      [fullWidth("iloveyou1"), COMMON],
      [" sunshine ", COMMON],
      ["my-wonderland-77", CONTEXT],
      ["MyRABBIT*77", CONTEXT],
      ["77jolanda77", CONTEXT],
      ["Meier-Meier", CONTEXT],
      ["xxdörte##", CONTEXT],
      [fullWidth("HATTERhatter"), CONTEXT],
      ["the van der hatter!", CONTEXT]
    ])
    const person = newPerson()
    const { set } = await entryPoint.open(realm, person)
    const reply = await set(GOOD)
    expect(reply.status, reply.text).toBeLessThan(300)
    if (reply.member("object") === "user_token") await realm.post("/v1/users", { user: { token: reply.id } })
    expect((await authenticateV1(realm, person.username, GOOD)).status).toBe(200)
  })
})

test("SEC-01: passwords of eight characters are long enough by default", async () => {
  const realm = await newRealm()
  const user = await realm.user({ username: "dodo", password: "xqzwkvjp" })
  for (const password of ["       7", "ßßßßßßßß", "🐇🐇🐇🐇🐇🐇🐇🐇", "xqzwkvj1"]) {
    expect((await realm.put(`/v1/users/${user.id}`, { user: { password } })).status).toBe(200)
    expect((await authenticateV1(realm, "dodo", password)).status).toBe(200)
  }
})

test("SEC-01: a realm can raise the minimum length, which every operation enforces, but not below 8", async () => {
  const realm = await newRealm()
  await setPasswordRules(realm, { min_length: 12 })
  for (const entryPoint of entryPoints) await expectAllRejected(realm, entryPoint, [["xqzwkvjpxyz", tooShort(12)]])
  const user = await realm.user({ password: "xqzwkvjpxyzw" })
  expect((await authenticateV1(realm, user.id, "xqzwkvjpxyzw")).status).toBe(200)
  for (const min_length of [7, 0, -1]) {
    const reply = await realm.put("/v2/auth_providers/password", { auth_provider: { min_length } })
    expect(statusAndErrors(reply)).toEqual([422, ["Min length must be between 8 and 512."]])
  }
  for (const entryPoint of entryPoints.slice(0, 1))
    await expectAllRejected(realm, entryPoint, [["xqzwkvjpxyz", tooShort(12)]])
})

test("SEC-01: a raised minimum doesn't lock out users with a shorter password", async () => {
  const realm = await newRealm()
  const user = await realm.user({ password: "xqzwkvjp" })
  await setPasswordRules(realm, { min_length: 40, preset: "nist", required_chars: ["digit"] })
  expect((await authenticateV1(realm, user.id, "xqzwkvjp")).status).toBe(200)
})

describe("the nist preset", () => {
  const LONG = "xqzwkvjpxyzwkq7"

  test("SEC-01: requires 15 characters for users without a second factor, in every operation", async () => {
    const realm = await newRealm()
    await setPasswordRules(realm, { preset: "nist" })
    for (const entryPoint of entryPoints) await expectAllRejected(realm, entryPoint, [[LONG.slice(1), tooShort(15)]])
    const user = await realm.user({ password: LONG })
    await enrolUnverifiedDevice(realm, user.id)
    const put = await realm.put(`/v1/users/${user.id}`, { user: { password: LONG.slice(1) } })
    expect(statusAndErrors(put)).toEqual([422, [tooShort(15)]])
  })

  test("SEC-01: requires 8 characters, or the realm's minimum, for users with an active TOTP device", async () => {
    const realm = await newRealm()
    for (const [provider, least] of [
      [{ preset: "nist" }, 8],
      [{ preset: "nist", min_length: 10 }, 10],
      [{ preset: "nist", min_length: 20 }, 20]
    ] as const) {
      await setPasswordRules(realm, { min_length: 8, ...provider })
      for (const entryPoint of least === 8 ? [...setters, ...changers] : changers.slice(0, 1)) {
        const { userId, set } = await entryPoint.open(realm, newPerson())
        await enrolled(realm, userId)
        const password = "xqzwkvjp1xyzwkq7jpvk".slice(0, least)
        expect([entryPoint.name, ...statusAndErrors(await set(password.slice(1)))]).toEqual([
          entryPoint.name,
          422,
          [tooShort(least)]
        ])
        if (entryPoint === changers[0]) expect((await set(password)).status).toBe(200)
      }
    }
  })

  test("SEC-01: requires 15 characters for everyone if the totp provider is inactive and no codes are required", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    await enrolled(realm, user.id)
    await setPasswordRules(realm, { preset: "nist" })
    await realm.put("/v2/auth_providers/totp", { auth_provider: { state: "inactive" } })
    const put = await realm.put(`/v2/users/${user.id}`, { user: { password: LONG.slice(1) } })
    expect(statusAndErrors(put)).toEqual([422, [tooShort(15)]])
  })

  /** Creates a device without verifying it, which is not a second factor. */
  const enrolUnverifiedDevice = (realm: GivenRealm, user_id: string) =>
    realm.post("/v2/credentials", { credential: { user_id, credential_type: "totp", name: "Phone" } })
})

test("SEC-01: required_chars (empty by default) applies to every operation", async () => {
  const realm = await newRealm()
  await setPasswordRules(realm, { required_chars: ["lower", "upper", "digit", "symbol"] })
  const table = [
    ["XQZWKVJP7!", "Password must contain a lowercase letter."],
    ["xqzwkvjp7!", "Password must contain an uppercase letter."],
    ["XqzwkvjpP!", "Password must contain a digit."],
    ["Xqzwkvjp77", "Password must contain a symbol."]
  ] as const
  for (const [n, entryPoint] of entryPoints.entries())
    await expectAllRejected(realm, entryPoint, n === 0 ? table : table.slice(n % 4, (n % 4) + 1))
})

test("SEC-02: rejects words of at least four letters from the user's attributes and the realm's name", async () => {
  const realm = await newRealm()
  const user = await realm.user({ first_name: "Alice", last_name: "Li", username: "al", password: GOOD })
  const put = (attributes: object) => realm.put(`/v2/users/${user.id}`, { user: attributes })
  expect(statusAndErrors(await put({ password: "alice-alice-7" }))).toEqual([422, [CONTEXT]])
  expect(statusAndErrors(await put({ password: "gryphon-77-!!", last_name: "Gryphon" }))).toEqual([422, [CONTEXT]])
  expect((await put({ password: "al-li-li-al-li" })).status).toBe(200)
  expect((await put({ password: "alice-alice-7", first_name: "Anne" })).status).toBe(200)
  expect((await put({ password: "looking-glass 77" })).status).toBe(200)
  const otherRealm = await (await service()).given.realm({ name: "Looking-Glass" })
  const { email } = newPerson()
  const there = await otherRealm.post("/v2/users", { user: { email, password: "looking-glass 77" } })
  expect(statusAndErrors(there)).toEqual([422, [CONTEXT]])
})
