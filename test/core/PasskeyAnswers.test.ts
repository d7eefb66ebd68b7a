import { describe, expect, test } from "vitest"
import { defaultPasskeyRules, type PasskeyChallenge } from "#domain/Passkey"
import { encodeCbor } from "#testing/Cbor"
import { androidKey, apple, fidoU2f, tpm } from "./AttestationVectors.ts"
import { base64url, challengeOf, clientData, create, id, realmId, run, userId, wanted } from "./PasskeyCeremonies.ts"
import { type CreationVector, framed, vectors } from "./PasskeyVectors.ts"

const all = { ...vectors, tpm, "android-key": androidKey, apple, "fido-u2f": fidoU2f }

describe.each(Object.entries(all))("The test vectors of WebAuthn Level 3: %s", (_, { creation, login }) => {
  test("the registration is read and the login is verified; of another challenge, key or signature it is refused", async () => {
    const made = await create(creation)
    if (typeof made === "string") throw new Error(made)
    expect(made).toMatchObject({
      passkeyId: base64url(creation.id),
      aaguid: creation.aaguid.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
      signCount: 0,
      transports: ["internal"],
      // Only this one may not be synced.
      backupEligible: creation.id !== fidoU2f.creation.id
    })
    const passkey = { ...made, id, realmId, userId, lastUsedAt: null }
    const use = {
      id: base64url(creation.id),
      clientDataJSON: clientData("webauthn.get", login),
      authenticatorData: base64url(login.authenticatorData),
      signature: base64url(login.signature),
      userHandle: null
    }
    const challenge = challengeOf(login, "login")
    const read = (changed: Partial<typeof use> = {}, of: Partial<PasskeyChallenge> = {}, key = made.publicKey) =>
      run((answers) =>
        answers.readUse(
          { ...use, ...changed },
          { ...passkey, publicKey: key },
          { ...challenge, ...of },
          defaultPasskeyRules
        )
      )
    expect(await read()).toMatchObject({ signCount: 0 })
    expect(await read({}, { challenge: base64url(creation.challenge) })).toBe("refused")
    expect(await read({}, { rpId: "example.com" })).toBe("refused")
    expect(await read({}, { origin: "https://example.com" })).toBe("refused")
    expect(await read({ signature: base64url(login.signature.replace(/..$/, "00")) })).toBe("refused")
    expect(await read({ authenticatorData: base64url(login.authenticatorData.replace(/.{8}$/, "00000001")) })).toBe(
      "refused"
    )
    // Who logs in has to be told, by the challenge or by the passkey.
    expect(await read({}, { userId: null })).toBe("refused")
    expect(await read({}, {}, new Uint8Array(77))).toBe("refused")
  })
})

test("A registration within another site's frame is refused", async () => {
  expect(await create(framed)).toBe("passkey_origin")
})

const none = vectors["none, ES256"].creation
const self = vectors["packed by the passkey's own key, ES256"].creation
const packed = vectors["packed, ES256"].creation

/** The same new passkey with another statement. */
const withStatement = (vector: CreationVector, format: string, statement: ReadonlyArray<readonly [string, string]>) => {
  const object = Buffer.from(vector.attestationObject, "hex")
  const authData = object.subarray(object.indexOf("authData") + 8 + 2)
  const cbor = encodeCbor(
    new Map<string, Parameters<typeof encodeCbor>[0]>([
      ["fmt", format],
      ["attStmt", new Map(statement)],
      ["authData", authData]
    ])
  )
  return { ...vector, attestationObject: cbor.toString("hex") }
}

const formats = ["packed", "fido-u2f", "tpm", "android-key", "apple", "android-safetynet", "none", "nonsense"]

test("Where statements are wanted, one that leads to a known root is accepted, and every other is refused", async () => {
  expect(await create(packed, wanted)).toMatchObject({ passkeyId: base64url(packed.id) })
  expect(await create(packed, { attestation: "direct" })).toBe("passkey_attestation")
  for (const without of [none, self]) expect(await create(without, wanted)).toBe("passkey_attestation")
  for (const format of formats) {
    const garbled = withStatement(packed, format, [["ver", "nonsense"]])
    expect([format, await create(garbled, wanted)]).toEqual([format, "passkey_attestation"])
  }
  // The statement is good, but signs another passkey.
  const foreign = packed.attestationObject.replace(/20c423$/, "20c424")
  expect(await create({ ...packed, attestationObject: foreign }, wanted)).toBe("passkey_invalid")
})

test("SEC-119: Where no statement is wanted, none is read, whatever is in it", async () => {
  for (const format of formats) {
    const garbled = withStatement(packed, format, [["ver", "nonsense"]])
    expect(await create(garbled)).toMatchObject({ passkeyId: base64url(packed.id) })
  }
  expect(await create({ ...none, attestationObject: "ff".repeat(40) })).toBe("passkey_invalid")
  expect(await create({ ...none, attestationObject: "81".repeat(20_000) })).toBe("passkey_invalid")
})
