import { isoCBOR } from "@simplewebauthn/server/helpers"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { defaultPasskeyRules, type PasskeyChallenge } from "#domain/Passkey"
import { encodeCbor } from "#testing/Cbor"
import { androidKey, apple, fidoU2f, tpm } from "./AttestationVectors.ts"
import {
  base64url,
  challengeOf,
  clientData,
  id,
  readRegistration,
  realmId,
  rulesWithAttestation,
  runPasskeyOperation,
  userId
} from "./PasskeyCeremonies.ts"
import { type CreationVector, framed, vectors } from "./PasskeyVectors.ts"

const all = { ...vectors, tpm, "android-key": androidKey, apple, "fido-u2f": fidoU2f }

describe.each(Object.entries(all))("the WebAuthn Level 3 test vector: %s", (_, { creation, login }) => {
  test("accepts registration and login, and rejects another challenge, origin, key or signature", async () => {
    const made = await readRegistration(creation)
    if (typeof made === "string") throw new Error(made)
    expect(made).toMatchObject({
      passkeyId: base64url(creation.id),
      aaguid: creation.aaguid.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
      signCount: 0,
      transports: ["internal"],
      // Only the U2F passkey can't be synced.
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
      runPasskeyOperation((answers) =>
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
    // The user must be identified by the challenge or by the passkey.
    expect(await read({}, { userId: null })).toBe("refused")
    expect(await read({}, {}, new Uint8Array(77))).toBe("refused")
  })
})

test("a registration in a cross-site iframe is rejected", async () => {
  expect(await readRegistration(framed)).toBe("passkey_origin")
})

const none = vectors["none, ES256"].creation
const self = vectors["packed by the passkey's own key, ES256"].creation
const packed = vectors["packed, ES256"].creation

/** The same new passkey with a different attestation statement. */
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

test("only statements with a known root are accepted if attestation is requested", async () => {
  expect(await readRegistration(packed, rulesWithAttestation)).toMatchObject({ passkeyId: base64url(packed.id) })
  expect(await readRegistration(packed, { attestation: "direct" })).toBe("passkey_attestation")
  for (const without of [none, self])
    expect(await readRegistration(without, rulesWithAttestation)).toBe("passkey_attestation")
  for (const format of formats) {
    const garbled = withStatement(packed, format, [["ver", "nonsense"]])
    expect([format, await readRegistration(garbled, rulesWithAttestation)]).toEqual([format, "passkey_attestation"])
  }
  // A valid statement for another passkey.
  const foreign = packed.attestationObject.replace(/20c423$/, "20c424")
  expect(await readRegistration({ ...packed, attestationObject: foreign }, rulesWithAttestation)).toBe(
    "passkey_invalid"
  )
})

test("SEC-119: attestation statements are ignored if no attestation is requested", async () => {
  for (const format of formats) {
    const garbled = withStatement(packed, format, [["ver", "nonsense"]])
    expect(await readRegistration(garbled)).toMatchObject({ passkeyId: base64url(packed.id) })
  }
  expect(await readRegistration({ ...none, attestationObject: "ff".repeat(40) })).toBe("passkey_invalid")
  expect(await readRegistration({ ...none, attestationObject: "81".repeat(20_000) })).toBe("passkey_invalid")
})

/** Any CBOR value that the library can encode. */
const { value: anyValue } = fc.letrec<{ readonly value: Parameters<typeof isoCBOR.encode>[0] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => new Uint8Array(bytes)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.oneof(fc.integer(), fc.constantFrom("x5c", "sig", "alg", "ver")), tie("value")), {
        maxLength: 3
      })
      .map((entries) => new Map(entries))
  )
}))

const hexOf = (value: Parameters<typeof isoCBOR.encode>[0]) => Buffer.from(isoCBOR.encode(value)).toString("hex")

const anyRules = fc.constantFrom({}, rulesWithAttestation, { attestation: "direct" as const })

const objectBytes = Buffer.from(none.attestationObject, "hex")
const authData = new Uint8Array(objectBytes.subarray(objectBytes.indexOf("authData") + 8 + 2))
/** The offset of the passkey's public key in the authenticator data. */
const KEY_AT = authData.length - 77

describe("SEC-236: well-formed values of the wrong shape", () => {
  test.each([
    "00",
    "60",
    "80",
    "f5",
    "f6",
    "f7",
    "a0",
    "40",
    "6161",
    "a163666d7401"
  ])("SEC-236: rejects the attestation object %s, whether or not attestation is requested", async (attestationObject) => {
    for (const rules of [{}, rulesWithAttestation]) {
      expect(await readRegistration({ ...none, attestationObject }, rules)).toBe("passkey_invalid")
    }
  })

  test("SEC-236: rejects any other CBOR value as attestation object", () =>
    fc.assert(
      fc.asyncProperty(anyValue, anyRules, async (value, rules) => {
        expect(await readRegistration({ ...none, attestationObject: hexOf(value) }, rules)).toBe("passkey_invalid")
      }),
      { numRuns: 200 }
    ))

  test("SEC-236: never fails on members, public keys or statements of any type", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...formats), anyValue),
        anyValue,
        fc.oneof(
          anyValue,
          fc.constant(authData),
          anyValue.map(
            (key) => new Uint8Array(Buffer.concat([authData.subarray(0, KEY_AT), Buffer.from(isoCBOR.encode(key))]))
          )
        ),
        anyRules,
        async (fmt, attStmt, data, rules) => {
          const object = new Map([
            ["fmt", fmt],
            ["attStmt", attStmt],
            ["authData", data]
          ])
          const read = await readRegistration({ ...none, attestationObject: hexOf(object) }, rules)
          const isAccepted = typeof read !== "string"
          if (isAccepted) expect(rules).toEqual({})
          else expect(["passkey_invalid", "passkey_attestation"]).toContain(read)
        }
      ),
      { numRuns: 500 }
    ))

  test("SEC-236: rejects any JSON as client data and any bytes as authenticator data of a login", () =>
    fc.assert(
      fc.asyncProperty(fc.json(), anyValue, fc.boolean(), async (json, value, isClientData) => {
        const { creation, login } = vectors["none, ES256"]
        const made = await readRegistration(creation)
        if (typeof made === "string") throw new Error(made)
        const extended = Buffer.from(login.authenticatorData, "hex")
        extended.writeUInt8(extended.readUInt8(32) | 0x80, 32)
        const use = {
          id: base64url(creation.id),
          clientDataJSON: isClientData ? Buffer.from(json).toString("base64url") : clientData("webauthn.get", login),
          authenticatorData: base64url(
            isClientData ? login.authenticatorData : extended.toString("hex") + hexOf(value)
          ),
          signature: base64url(login.signature),
          userHandle: null
        }
        const read = runPasskeyOperation((answers) =>
          answers
            .readUse(
              use,
              { ...made, id, realmId, userId, lastUsedAt: null },
              challengeOf(login, "login"),
              defaultPasskeyRules
            )
            .pipe(Effect.catchTag("AnswerRefused", ({ why }) => Effect.succeed(why)))
        )
        expect(await read).toBe("passkey_invalid")
      }),
      { numRuns: 200 }
    ))
})
