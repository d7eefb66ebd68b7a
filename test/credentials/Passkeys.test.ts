import { describe, expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import { creationOptions, enrolPasskey, ORIGIN, passkeyLogin, realmWithApp, register } from "../support/passkeys.ts"

const zeros = "00000000-0000-0000-0000-000000000000"

describe.each(["v1", "v2"])("Passkeys of /%s/credentials", (version) => {
  test("are registered in two steps: 201 with what is known of the authenticator, user.updated", async () => {
    const realm = await realmWithApp({ name: "Acme" })
    const user = await realm.user({ email: "jo@example.test", first_name: "Jo", last_name: "Doe" })
    const { token, options } = await creationOptions(realm, user.id, version)
    expect(token).toMatch(/^tpk:[0-9A-Za-z]{43}$/)
    expect(options).toMatchObject({
      rp: { name: "Acme" },
      user: { id: Buffer.from(user.id).toString("base64url"), name: "jo@example.test", displayName: "Jo Doe" },
      excludeCredentials: [],
      attestation: "none",
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" }
    })

    const response = new Authenticator({ backupEligible: true }).create(options, { origin: ORIGIN })
    const { result, events } = await realm.seen.during(() =>
      register(realm, user.id, token, response, { version, name: "Jo's laptop" })
    )
    const shown = {
      id: result.id,
      object: "credential",
      credential_type: "passkey",
      user_id: user.id,
      name: "Jo's laptop",
      aaguid: zeros,
      transports: ["internal"],
      backed_up: true,
      last_used_at: null
    }
    expect([result.status, result.body]).toEqual([201, shown])
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect((await realm.get(`/${version}/credentials/${result.id}`)).body).toEqual(shown)
    expect((await realm.get(`/${version}/users/${user.id}`)).member("credentials")).toEqual([
      { id: result.id, object: "credential", credential_type: "passkey" }
    ])
  })

  test("log in without a name or a password: the session of their user", async () => {
    const realm = await realmWithApp()
    const user = await realm.user()
    const { authenticator, id } = await enrolPasskey(realm, user.id)
    const { result, events } = await realm.seen.during(() => passkeyLogin(realm, authenticator, {}, version))
    expect(result.status).toBe(200)
    expect(version === "v1" ? result.id : result.member("user", "id")).toBe(user.id)
    expect(events).toEqual([
      {
        event_type: "user.login.succeeded",
        user_id: user.id,
        ...(version === "v2" ? { session_id: result.id } : { session_id: expect.any(String) })
      }
    ])
    expect((await realm.get(`/${version}/credentials/${id}`)).member("last_used_at")).toEqual(expect.any(Number))
  })
})
