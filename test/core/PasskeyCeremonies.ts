import { X509Certificate } from "node:crypto"
import { Effect, Exit } from "effect"
import { PasskeyResponses } from "#core/credentials/PasskeyResponses"
import { encodeId } from "#domain/Ids"
import { defaultPasskeyRules, type PasskeyChallenge, type PasskeyRules } from "#domain/Passkey"
import { attestationRoot, type CreationVector, type LoginVector } from "./PasskeyVectors.ts"

/** Converts hexadecimal to base64url. */
export const base64url = (hex: string): string => Buffer.from(hex, "hex").toString("base64url")
const bits = (n: number) => ({ millis: n, random: [0, 0] }) as const
/** The owner of the passkeys in these tests. */
export const [realmId, userId, id] = [
  encodeId("realm", bits(1)),
  encodeId("user", bits(2)),
  encodeId("credential", bits(3))
]

/** The challenge of a vector's ceremony. */
export const challengeOf = ({ challenge }: { readonly challenge: string }, ceremony: PasskeyChallenge["ceremony"]) => ({
  realmId,
  ceremony,
  userId,
  origin: "https://example.org",
  rpId: "example.org",
  challenge: base64url(challenge)
})

const extra = (data: string) =>
  `clientDataJSON may be extended with additional fields in the future, such as this: ${data}`

/** The client data of a ceremony, in base64url. */
export const clientData = (
  type: string,
  { challenge, crossOrigin = false, extraData }: CreationVector | LoginVector
) => {
  const known = { type, challenge: base64url(challenge), origin: "https://example.org", crossOrigin }
  const data = extraData === undefined ? known : { ...known, extraData: extra(extraData) }
  return Buffer.from(JSON.stringify(data)).toString("base64url")
}

/** Runs a passkey operation and returns its result, or `refused` for a rejected response. */
export const runPasskeyOperation = <A, E>(use: (answers: PasskeyResponses["Service"]) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    PasskeyResponses.pipe(
      Effect.flatMap(use),
      Effect.exit,
      Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : "refused")),
      Effect.provide(PasskeyResponses.layer)
    )
  )

/** Reads a registration from the vectors. */
export const readRegistration = (vector: CreationVector, rules: Partial<PasskeyRules> = {}) =>
  runPasskeyOperation((answers) =>
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

/** The root certificate of the vectors. */
export const pem = new X509Certificate(Buffer.from(attestationRoot, "hex")).toString()
/** The rules of a realm that requests attestation and trusts that root. */
export const rulesWithAttestation = { attestation: "direct", attestationRoots: [pem] } as const
