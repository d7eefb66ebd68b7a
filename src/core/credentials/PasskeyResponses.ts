import { hash } from "node:crypto"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import {
  AnswerRefused,
  type Passkey,
  type PasskeyChallenge,
  type PasskeyCreation,
  type PasskeyRules,
  type PasskeyUse,
  transportsIn
} from "#domain/Passkey"
import { passkeyAlgorithms, userHandleOf } from "#domain/PasskeyOptions"
import { decodeUtf8 } from "#domain/Utf8"
import type { OwnedPasskey, RecordedPasskeyUse } from "#store/users/PasskeysRepo"
import {
  isFromTrustedManufacturer,
  readAttestation,
  readStatement,
  singleManufacturerFormats
} from "./AttestationStatements.ts"
import { matchesPasskey } from "./ManufacturerStatements.ts"

/** The data about a passkey from its registration response. */
export interface RegisteredPasskey extends Omit<Passkey, "id" | "realmId" | "lastUsedAt"> {
  readonly userVerified: boolean
}

/** The data from a verified use of a passkey. */
export interface VerifiedUse extends Omit<RecordedPasskeyUse, "at"> {
  readonly userVerified: boolean
}

/**
 * The maximum length of a public key, in bytes: enough for RSA with 8,192 bits. Longer keys would make signature checks
 * slower.
 */
const MAX_KEY_LENGTH = 1_100

const ClientData = Schema.fromJsonString(
  Schema.Struct({
    origin: Schema.String,
    crossOrigin: Schema.optionalKey(Schema.Unknown),
    topOrigin: Schema.optionalKey(Schema.Unknown)
  })
)

const reject = (why: AnswerRefused["why"]) => new AnswerRefused({ why })

/** Rejects the response if the library throws, whatever the error. */
const orReject = <A>(check: () => A | Promise<A>) =>
  Effect.tryPromise({ try: async () => check(), catch: () => reject("passkey_invalid") })

/** Rejects a response that was created on another origin, or in a page embedded in another site. */
const checkPage = Effect.fnUntraced(function* (clientDataJSON: string, origin: string) {
  const text = decodeUtf8(Buffer.from(clientDataJSON, "base64url"))
  const data = Option.getOrUndefined(Schema.decodeUnknownOption(ClientData)(text))
  if (data === undefined) return yield* reject("passkey_invalid")
  const isFramed = data.crossOrigin === true || data.topOrigin !== undefined
  if (data.origin !== origin || isFramed) return yield* reject("passkey_origin")
})

const checkVerification = (userVerified: boolean, { userVerification }: PasskeyRules) =>
  userVerified || userVerification === "preferred" ? Effect.void : Effect.fail(reject("passkey_unverified"))

/** The expected values for both kinds of responses. User verification is checked separately, to return a specific reason. */
const expectedOf = ({ challenge, origin, rpId }: PasskeyChallenge) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: false
})

const publicKeyCredential = (id: string) => ({ id, rawId: id, type: "public-key", clientExtensionResults: {} }) as const

/** Loads the library on the first use of a passkey, because it is large. */
const load = async () => {
  const [{ SettingsService, ...server }, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers")
  ])
  const roots = (identifier: "android-key" | "apple") => SettingsService.getRootCertificates({ identifier })
  const builtInRoots: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
    ["android-key", roots("android-key")],
    ["apple", roots("apple")]
  ])
  const { cose } = helpers
  /** Returns the members of a COSE public key, named as in a JSON Web Key. */
  const jwkOf = (publicKey: Uint8Array) => {
    const key = helpers.decodeCredentialPublicKey(new Uint8Array(publicKey))
    const text = (part: Uint8Array | undefined) => part && Buffer.from(part).toString("base64url")
    if (cose.isCOSEPublicKeyEC2(key)) return { x: text(key.get(cose.COSEKEYS.x)), y: text(key.get(cose.COSEKEYS.y)) }
    return cose.isCOSEPublicKeyRSA(key) ? { n: text(key.get(cose.COSEKEYS.n)), e: text(key.get(cose.COSEKEYS.e)) } : {}
  }
  return { ...server, ...helpers, builtInRoots, jwkOf }
}

/** Verifies authenticators' responses to challenges (ADR-0019). */
export class PasskeyResponses extends Context.Service<
  PasskeyResponses,
  {
    /** Verifies the response to a challenge for a new passkey. */
    readCreation(
      creation: PasskeyCreation,
      challenge: PasskeyChallenge,
      rules: PasskeyRules
    ): Effect.Effect<RegisteredPasskey, AnswerRefused>
    /**
     * Verifies a challenge signed by a passkey. The sign counter isn't checked here: the repository checks it when it records
     * the use.
     */
    readUse(
      use: PasskeyUse,
      passkey: OwnedPasskey,
      challenge: PasskeyChallenge,
      rules: PasskeyRules
    ): Effect.Effect<VerifiedUse, AnswerRefused>
  }
>()("sallyport/core/PasskeyResponses") {
  static readonly layer = Layer.effect(
    PasskeyResponses,
    Effect.gen(function* () {
      const loaded = yield* Effect.cached(Effect.promise(load))

      const withoutStatement = Effect.fnUntraced(function* (authData: Uint8Array) {
        const { isoCBOR } = yield* loaded
        const bare = new Map<string, string | Uint8Array | Map<string, string>>()
        bare.set("fmt", "none").set("attStmt", new Map()).set("authData", authData)
        return yield* orReject(() => Buffer.from(isoCBOR.encode(bare)).toString("base64url"))
      })

      /**
       * Returns the attestation object that the library still has to verify. If the realm doesn't require attestation, or if
       * the statement was verified here, it contains no statement.
       */
      const attestationOf = Effect.fnUntraced(function* (
        { attestationObject: encoded, clientDataJSON }: PasskeyCreation,
        rules: PasskeyRules
      ) {
        const { decodeAttestationObject, parseAuthenticatorData, jwkOf, builtInRoots } = yield* loaded
        const object = yield* orReject(() =>
          readAttestation(decodeAttestationObject(new Uint8Array(Buffer.from(encoded, "base64url"))))
        )
        const { authData } = object
        if (rules.attestation === "none") return yield* withoutStatement(authData)
        const { format, certificates, signature, algorithm } = yield* orReject(() => readStatement(object))
        const now = yield* Clock.currentTimeMillis
        const isKnown = yield* orReject(() =>
          isFromTrustedManufacturer({ format, certificates }, rules, builtInRoots.get(format) ?? [], now)
        )
        if (!isKnown) return yield* reject("passkey_attestation")
        if (!singleManufacturerFormats.includes(format)) return encoded
        // For these formats, the library would fetch revocation lists from URLs in the certificates. So verify them here.
        const isMatch = yield* orReject(() => {
          const { credentialPublicKey: key } = parseAuthenticatorData(new Uint8Array(authData))
          const [certificate] = certificates ?? []
          if (key === undefined || certificate === undefined) return false
          const clientDataHash = hash("sha256", Buffer.from(clientDataJSON, "base64url"), "buffer")
          const signed = { signature, algorithm, authData, clientDataHash }
          return matchesPasskey({ format, certificate, ...signed, key: jwkOf(key) })
        })
        return isMatch ? yield* withoutStatement(authData) : yield* reject("passkey_invalid")
      })

      const readCreation: PasskeyResponses["Service"]["readCreation"] = Effect.fn("PasskeyResponses.readCreation")(
        function* (creation, challenge, rules) {
          const { id, clientDataJSON, transports, isConditional = false } = creation
          yield* checkPage(clientDataJSON, challenge.origin)
          const { verifyRegistrationResponse } = yield* loaded
          const response = { clientDataJSON, attestationObject: yield* attestationOf(creation, rules) }
          const { registrationInfo: info } = yield* orReject(() =>
            verifyRegistrationResponse({
              response: { ...publicKeyCredential(id), response },
              ...expectedOf(challenge),
              requireUserPresence: !isConditional,
              supportedAlgorithmIDs: [...passkeyAlgorithms]
            })
          )
          if (info === undefined || info.credential.id !== id) return yield* reject("passkey_invalid")
          const { publicKey, counter } = info.credential
          if (publicKey.length > MAX_KEY_LENGTH) return yield* reject("passkey_invalid")
          yield* checkVerification(info.userVerified, rules)
          return {
            passkeyId: id,
            rpId: challenge.rpId,
            publicKey,
            signCount: counter,
            aaguid: info.aaguid,
            transports: transportsIn(transports),
            backupEligible: info.credentialDeviceType === "multiDevice",
            backedUp: info.credentialBackedUp,
            userVerified: info.userVerified
          }
        }
      )

      const readUse: PasskeyResponses["Service"]["readUse"] = Effect.fn("PasskeyResponses.readUse")(function* (
        { id, userHandle, ...response },
        passkey,
        challenge,
        rules
      ) {
        yield* checkPage(response.clientDataJSON, challenge.origin)
        // A response without a user handle is valid only for a challenge that names the user.
        const isOwner = userHandle === null ? challenge.userId !== null : userHandle === userHandleOf(passkey.userId)
        if (!isOwner) return yield* reject("passkey_invalid")
        const { verifyAuthenticationResponse } = yield* loaded
        const { verified, authenticationInfo: info } = yield* orReject(() =>
          verifyAuthenticationResponse({
            response: { ...publicKeyCredential(id), response },
            ...expectedOf(challenge),
            credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 }
          })
        )
        const isSynced = info.credentialDeviceType === "multiDevice"
        if (!verified || isSynced !== passkey.backupEligible) return yield* reject("passkey_invalid")
        yield* checkVerification(info.userVerified, rules)
        return { signCount: info.newCounter, backedUp: info.credentialBackedUp, userVerified: info.userVerified }
      })

      return PasskeyResponses.of({ readCreation, readUse })
    })
  )
}
