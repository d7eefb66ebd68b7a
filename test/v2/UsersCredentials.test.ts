import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const HASH = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$ZmFrZWZha2VmYWtlZmFrZWZha2VmYWtlZmFrZWZha2U"
const PASSWORD = "a long enough password"

const email = () => `${uniqueText("new")}@example.test`

const createdEvent = (userId: string) => [{ event_type: "user.created", user_id: userId }]

/** Asserts that creating a user is rejected without an event. Returns the errors. */
const expectRejected = async (user: object): Promise<unknown> => {
  const realm = await newRealm()
  const body = { user: { email: email(), credentials: [], ...user } }
  const { result, events } = await realm.seen.during(() => realm.post("/v2/users", body))
  expect([result.status, events]).toEqual([422, []])
  expect((await realm.get("/v2/users")).items).toEqual([])
  return result.errors
}

describe("the password of a new user", () => {
  test.each([
    ["password", { password: PASSWORD }],
    ["password with its confirmation", { password: PASSWORD, password_confirmation: PASSWORD }],
    ["password with a null confirmation", { password: PASSWORD, password_confirmation: null }],
    ["password and empty credentials", { password: PASSWORD, credentials: [] }],
    ["credentials with a password", { credentials: [{ credential_type: "password", password: PASSWORD }] }],
    ["credentials with an argon2 hash", { credentials: [{ credential_type: "password", password_hash: HASH }] }]
  ])("given as %s creates a password credential that is never shown", async (_, given) => {
    const realm = await newRealm()
    const { result, events } = await realm.seen.during(() =>
      realm.post("/v2/users", { user: { email: email(), ...given } })
    )
    const credential = { credential_type: "password", id: expect.stringMatching(/^crd_/), object: "credential" }
    expect([result.status, result.member("credentials")]).toEqual([201, [credential]])
    expect(events).toEqual(createdEvent(result.id))
    expect(result.text).not.toMatch(/argon2|a long enough/)
    expect((await realm.get(`/v2/users/${result.id}`)).member("credentials")).toEqual([credential])
  })

  const password = { credential_type: "password", password: PASSWORD }
  test.each([
    ["is required", { credentials: undefined }, "Password can't be blank."],
    ["can't be null", { password: null, credentials: null }, "Password can't be blank."],
    ["can't be empty", { password: "" }, "Password can't be blank."],
    ["needs 8 characters", { password: "1234567" }, "Password is too short (minimum is 8 characters)."],
    ["must match its confirmation", { password: PASSWORD, password_confirmation: "b" }, /^Password confirmation does/],
    ["is required with a confirmation", { password_confirmation: PASSWORD }, /^Password confirmation does not match/],
    ["can't be given twice", { password: PASSWORD, credentials: [password] }, /^Password and credentials .* both/],
    [
      "can't be repeated in credentials",
      { credentials: [password, password] },
      "Credentials may contain only one password."
    ],
    [
      "can't be combined with its hash",
      { credentials: [{ ...password, password_hash: HASH }] },
      /^Password hash and password can't both be/
    ],
    ["is required in a credential", { credentials: [{ credential_type: "password" }] }, "Password can't be blank."],
    ["needs a type in a credential", { credentials: [{ password: PASSWORD }] }, "Credential type can't be blank."],
    [
      "needs a known format of its hash",
      { credentials: [{ credential_type: "password", password_hash: "x" }] },
      /^Password hash is not/
    ]
  ])("%s", async (_, given, sentence) => {
    const errors = await expectRejected(given)
    expect(errors).toEqual([typeof sentence === "string" ? sentence : expect.stringMatching(sentence)])
  })

  test.each([
    ["api_key", "Credential type api_key is only available for API users."],
    [
      "Password",
      "Credential type must be one of: api_key, password, totp, apple, facebook, github, google, linkedin, microsoft, oauth2, oidc, slack, yahoo."
    ],
    [
      "",
      "Credential type must be one of: api_key, password, totp, apple, facebook, github, google, linkedin, microsoft, oauth2, oidc, slack, yahoo."
    ]
  ])("can't be given as a credential of type %j", async (type, sentence) => {
    const errors = await expectRejected({ credentials: [{ ...password, credential_type: type }] })
    expect(errors).toEqual([sentence])
  })

  test("may be accompanied by credentials of other types, and is created with them in one event", async () => {
    const realm = await newRealm()
    await realm.authProvider({ provider_type: "github" })
    const profile = { credential_type: "github", provider_user_id: "42" }
    const user = { email: email(), credentials: [password, { credential_type: "totp", name: "Phone" }, profile] }
    const { result, events } = await realm.seen.during(() => realm.post("/v2/users", { user }))
    expect([result.status, events]).toEqual([201, createdEvent(result.id)])
    const types = ["password", "totp", "github"]
    expect(result.member("credentials")).toMatchObject(types.map((credential_type) => ({ credential_type })))
    const again = { user: { email: email(), credentials: [profile] } }
    expect((await realm.post("/v2/users", again)).errors).toEqual(["Provider user ID has already been taken."])
  })

  test("is rejected together with the user if another credential is invalid", async () => {
    const errors = await expectRejected({ credentials: [password, { credential_type: "totp" }] })
    expect(errors).toEqual(["Name can't be blank."])
  })
})
