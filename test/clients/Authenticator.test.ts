import { hash } from "node:crypto"
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server"
import { describe, expect, it } from "vitest"
import { Authenticator, type AuthenticatorOptions } from "#testing/Authenticator"

const origin = "https://acme.example.com"
const challenge = Buffer.from("a challenge of the service").toString("base64url")

const creation = {
  challenge,
  rp: { id: "acme.example.com", name: "Acme" },
  user: { id: Buffer.from("usr_1").toString("base64url"), name: "ada", displayName: "Ada" },
  pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: "public-key" }))
}

const request = { challenge, rpId: "acme.example.com" }

const expected = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: "acme.example.com" }

/** Creates a passkey, logs in with it, and returns what the service's verification library says about both. */
const ceremonies = async (options: AuthenticatorOptions, of: AuthenticatorOptions = {}) => {
  const authenticator = new Authenticator(options)
  const made = await verifyRegistrationResponse({
    ...expected,
    requireUserVerification: false,
    response: authenticator.create(creation, { origin })
  })
  if (!made.verified) throw new Error("The library rejected the passkey")
  const used = await verifyAuthenticationResponse({
    ...expected,
    requireUserVerification: false,
    response: authenticator.get(request, { origin, ...of }),
    credential: made.registrationInfo.credential
  })
  return { made: made.registrationInfo, used }
}

const named = (name: string) => expect.objectContaining({ name })

describe("The test kit's authenticator", () => {
  it.each(["ES256", "EdDSA", "RS256"] as const)("creates and uses passkeys of %s", async (algorithm) => {
    const { made, used } = await ceremonies({ algorithm, attestation: "packed" })
    expect(made.fmt).toBe("packed")
    expect(used.verified).toBe(true)
  })

  it("verifies the user by default, without attestation or sync", async () => {
    const { made, used } = await ceremonies({})
    expect(made).toMatchObject({
      fmt: "none",
      aaguid: "00000000-0000-0000-0000-000000000000",
      userVerified: true,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false
    })
    expect(made.credential).toMatchObject({ counter: 1, transports: ["internal"] })
    expect(used.authenticationInfo).toMatchObject({ newCounter: 2, userVerified: true })
  })

  it("can be synced, report a model and skip user verification", async () => {
    const aaguid = "01020304-0506-0708-0910-111213141516"
    const { made, used } = await ceremonies({ aaguid, backupEligible: true, userVerified: false })
    expect(made).toMatchObject({
      aaguid,
      userVerified: false,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: true
    })
    expect(made.credential.counter).toBe(0)
    expect(used.authenticationInfo).toMatchObject({ newCounter: 0, userVerified: false })
  })

  it("can turn the sign counter back", async () => {
    await expect(ceremonies({ signCount: 7 }, { signCount: 3 })).rejects.toThrow("counter")
  })

  it("reports the configured origin and user presence", async () => {
    const authenticator = new Authenticator()
    await expect(
      verifyRegistrationResponse({
        ...expected,
        response: authenticator.create(creation, { origin: "https://elsewhere.example.com" })
      })
    ).rejects.toThrow("https://elsewhere.example.com")
    await expect(ceremonies({}, { userPresent: false })).rejects.toThrow("present")
  })

  it("chooses the newest passkey of a site unless another passkey is selected or required", () => {
    const authenticator = new Authenticator()
    const [first, second] = [1, 2].map(() => authenticator.create(creation, { origin }).id)
    authenticator.create({ ...creation, rp: { id: "other.example.com" } }, { origin })
    expect(authenticator.passkeys.map(({ rpId }) => rpId)).toEqual([
      "acme.example.com",
      "acme.example.com",
      "other.example.com"
    ])
    expect(authenticator.get(request, { origin }).id).toBe(second)
    expect(authenticator.get(request, { origin, passkey: first ?? "" }).id).toBe(first)
    expect(authenticator.get({ ...request, allowCredentials: [{ id: first ?? "" }] }, { origin }).id).toBe(first)
    expect(authenticator.get(request, { origin }).response.userHandle).toBe(creation.user.id)
  })

  it("uses a non-discoverable passkey only if the service lists the passkey", () => {
    const authenticator = new Authenticator({ discoverable: false })
    const { id } = authenticator.create(creation, { origin })
    expect(() => authenticator.get(request, { origin })).toThrow(named("NotAllowedError"))
    expect(
      authenticator.get({ ...request, allowCredentials: [{ id }] }, { origin }).response.userHandle
    ).toBeUndefined()
  })

  it("fails as browsers do: without a passkey, with a registered passkey, or without a common algorithm", () => {
    const authenticator = new Authenticator()
    expect(() => authenticator.get(request, { origin })).toThrow(named("NotAllowedError"))
    const { id } = authenticator.create(creation, { origin })
    expect(() => authenticator.create({ ...creation, excludeCredentials: [{ id }] }, { origin })).toThrow(
      named("InvalidStateError")
    )
    expect(() => authenticator.create({ ...creation, pubKeyCredParams: [{ alg: -36 }] }, { origin })).toThrow(
      named("NotSupportedError")
    )
  })

  it("uses the page's host if the options name no site", () => {
    const authenticator = new Authenticator()
    authenticator.create({ ...creation, rp: {} }, { origin })
    const { authenticatorData } = authenticator.get({ challenge }, { origin }).response
    expect(Buffer.from(authenticatorData, "base64url").subarray(0, 32)).toEqual(
      hash("sha256", "acme.example.com", "buffer")
    )
  })
})
