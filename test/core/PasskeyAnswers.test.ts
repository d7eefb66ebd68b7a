import { X509Certificate } from "node:crypto"
import { Effect, Exit } from "effect"
import { describe, expect, test } from "vitest"
import { PasskeyAnswers } from "#core/credentials/PasskeyAnswers"
import { encodeId } from "#domain/Ids"
import { defaultPasskeyRules, type PasskeyChallenge, type PasskeyRules } from "#domain/Passkey"
import { encodeCbor } from "#testing/Cbor"
import { attestationRoot, type CreationVector, framed, type LoginVector, vectors } from "./PasskeyVectors.ts"

const base64url = (hex: string): string => Buffer.from(hex, "hex").toString("base64url")
const bits = (n: number) => ({ millis: n, random: [0, 0] }) as const
const [realmId, userId, id] = [encodeId("realm", bits(1)), encodeId("user", bits(2)), encodeId("credential", bits(3))]

const challengeOf = ({ challenge }: { readonly challenge: string }, ceremony: PasskeyChallenge["ceremony"]) => ({
  realmId,
  ceremony,
  userId,
  origin: "https://example.org",
  rpId: "example.org",
  challenge: base64url(challenge)
})

const extra = (data: string) =>
  `clientDataJSON may be extended with additional fields in the future, such as this: ${data}`

const clientData = (type: string, { challenge, crossOrigin = false, extraData }: CreationVector | LoginVector) => {
  const known = { type, challenge: base64url(challenge), origin: "https://example.org", crossOrigin }
  const data = extraData === undefined ? known : { ...known, extraData: extra(extraData) }
  return Buffer.from(JSON.stringify(data)).toString("base64url")
}

const run = <A, E>(use: (answers: PasskeyAnswers["Service"]) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    PasskeyAnswers.pipe(
      Effect.flatMap(use),
      Effect.exit,
      Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : "refused")),
      Effect.provide(PasskeyAnswers.layer)
    )
  )

const create = (vector: CreationVector, rules: Partial<PasskeyRules> = {}) =>
  run((answers) =>
    answers
      .readCreation(
        {
          id: base64url(vector.id),
          clientDataJSON: clientData("webauthn.create", vector),
          attestationObject: base64url(vector.attestationObject),
          transports: ["internal", "carrier pigeon"]
        },
        challengeOf(vector, "creation"),
        { ...defaultPasskeyRules, ...rules }
      )
      .pipe(Effect.catchTag("AnswerRefused", ({ why }) => Effect.succeed(why)))
  )

const pem = new X509Certificate(Buffer.from(attestationRoot, "hex")).toString()
const wanted = { attestation: "direct", attestationRoots: [pem] } as const

describe.each(Object.entries(vectors))("The test vectors of WebAuthn Level 3: %s", (_, { creation, login }) => {
  test("the registration is read and the login is verified; of another challenge, key or signature it is refused", async () => {
    const made = await create(creation)
    if (typeof made === "string") throw new Error(made)
    expect(made).toMatchObject({
      passkeyId: base64url(creation.id),
      aaguid: creation.aaguid.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
      signCount: 0,
      transports: ["internal"],
      backupEligible: true
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
