import { hash } from "node:crypto"
import { type Cbor, encodeCbor } from "./Cbor.ts"
import { makePasskeyKey, type PasskeyAlgorithm, type PasskeyKey, passkeyAlgorithms } from "./PasskeyKeys.ts"
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions
} from "./WebAuthnJson.ts"

/** How an authenticator performs a ceremony. */
export interface AuthenticatorOptions {
  /** The algorithm of new keys. Default: ES256. */
  readonly algorithm?: PasskeyAlgorithm
  /** The attestation of new passkeys. `packed` is self attestation with the new key. Default: `none`. */
  readonly attestation?: "none" | "packed"
  /** The model of the authenticator, as a UUID. Default: zeros, as sent by authenticators that don't reveal their model. */
  readonly aaguid?: string
  /** The UP flag: the user touched the authenticator. Default: true. */
  readonly userPresent?: boolean
  /** The UV flag: the authenticator verified the user by fingerprint, face or PIN. Default: true. */
  readonly userVerified?: boolean
  /** The BE flag: passkeys can be synced to other devices. Default: false. */
  readonly backupEligible?: boolean
  /** The BS flag: passkeys are synced. Default: same as `backupEligible`. */
  readonly backedUp?: boolean
  /**
   * The sign counter to report. By default, each passkey has a counter that increases with every ceremony; with
   * `backupEligible`, it is always 0.
   */
  readonly signCount?: number
  /** Whether passkeys are stored with their user handle, so that they can be found without a username. Default: true. */
  readonly discoverable?: boolean
  /** The authenticator's transports. Default: `["internal"]`, for an authenticator built into the device. */
  readonly transports?: ReadonlyArray<string>
}

/**
 * A single ceremony. `origin` is the origin of the requesting page, as reported by the browser. The other members override the
 * authenticator's options.
 */
export interface Ceremony extends AuthenticatorOptions {
  readonly origin: string
  /** For `get`: the ID of the passkey that the user chooses. Default: the newest passkey that is allowed. */
  readonly passkey?: string
}

/** A passkey stored by an authenticator. Bytes are encoded in base64url. */
export interface Passkey {
  readonly id: string
  readonly rpId: string
  readonly userHandle: string
  readonly discoverable: boolean
}

interface StoredPasskey extends Passkey {
  readonly key: PasskeyKey
  signCount: number
}

const sha256 = (data: Uint8Array | string): Buffer => hash("sha256", data, "buffer")

const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, newKey: 0x40 }

/**
 * A browser and a passkey authenticator, simulated in software. It accepts the service's options and responds like
 * `navigator.credentials`, with the same `DOMException`s: `NotSupportedError`, `InvalidStateError` (the authenticator already
 * has a passkey for this user) or `NotAllowedError` (it has no matching passkey).
 *
 * Tests can make it report any origin, flags and counter, to simulate attacks.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions
  readonly #stored: Array<StoredPasskey> = []

  constructor(options: AuthenticatorOptions = {}) {
    this.#options = options
  }

  /** The stored passkeys, oldest first. */
  get passkeys(): ReadonlyArray<Passkey> {
    return this.#stored.map(({ id, rpId, userHandle, discoverable }) => ({ id, rpId, userHandle, discoverable }))
  }

  /** Creates a passkey, like `navigator.credentials.create()`. */
  create(options: PasskeyCreationOptions, ceremony: Ceremony): PasskeyRegistration {
    const how = { ...this.#options, ...ceremony }
    const { algorithm = "ES256", aaguid = "", discoverable = true } = how
    const { cose } = passkeyAlgorithms[algorithm]
    if (!options.pubKeyCredParams.some(({ alg }) => alg === cose)) {
      throw new DOMException(`The options do not allow ${algorithm}.`, "NotSupportedError")
    }
    const rpId = options.rp.id ?? new URL(ceremony.origin).hostname
    if (
      options.excludeCredentials?.some(({ id }) => this.#stored.some((kept) => kept.rpId === rpId && kept.id === id))
    ) {
      throw new DOMException("The authenticator already has a passkey for this user.", "InvalidStateError")
    }
    const key = makePasskeyKey(algorithm)
    const rawId = sha256(key.spki)
    const id = rawId.toString("base64url")
    const passkey: StoredPasskey = { id, rpId, userHandle: options.user.id, discoverable, key, signCount: 0 }
    const length = Buffer.alloc(2)
    length.writeUInt16BE(rawId.length)
    const model = Buffer.from(aaguid.replaceAll("-", "").padEnd(32, "0"), "hex")
    const authData = Buffer.concat([
      this.#authData(passkey, how, FLAGS.newKey),
      model,
      length,
      rawId,
      encodeCbor(key.cose)
    ])
    const clientData = clientDataOf("webauthn.create", options.challenge, ceremony)
    const isPacked = how.attestation === "packed"
    const statement: ReadonlyArray<readonly [string, Cbor]> = isPacked
      ? [
          ["alg", cose],
          ["sig", key.sign(Buffer.concat([authData, sha256(clientData)]))]
        ]
      : []
    const attestation = new Map<string, Cbor>([
      ["fmt", isPacked ? "packed" : "none"],
      ["attStmt", new Map(statement)],
      ["authData", authData]
    ])
    this.#stored.push(passkey)
    return {
      ...this.#answer(id, how),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: encodeCbor(attestation).toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        publicKey: key.spki.toString("base64url"),
        publicKeyAlgorithm: cose,
        transports: [...(how.transports ?? ["internal"])]
      }
    }
  }

  /** Uses a passkey, like `navigator.credentials.get()`. */
  get(options: PasskeyRequestOptions, ceremony: Ceremony): PasskeyAssertion {
    const how = { ...this.#options, ...ceremony }
    const rpId = options.rpId ?? new URL(ceremony.origin).hostname
    const { allowCredentials: allowed = [] } = options
    const passkey = this.#stored.findLast((kept) => {
      if (kept.rpId !== rpId || (ceremony.passkey !== undefined && kept.id !== ceremony.passkey)) return false
      return allowed.length === 0 ? kept.discoverable : allowed.some(({ id }) => id === kept.id)
    })
    if (passkey === undefined) {
      throw new DOMException("The authenticator has no matching passkey.", "NotAllowedError")
    }
    const authData = this.#authData(passkey, how, 0)
    const clientData = clientDataOf("webauthn.get", options.challenge, ceremony)
    return {
      ...this.#answer(passkey.id, how),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: passkey.key.sign(Buffer.concat([authData, sha256(clientData)])).toString("base64url"),
        ...(passkey.discoverable && { userHandle: passkey.userHandle })
      }
    }
  }

  /** The authenticator data: relying party, flags and sign counter. `more` adds flags. */
  #authData(passkey: StoredPasskey, how: AuthenticatorOptions, more: number): Buffer {
    const { userPresent = true, userVerified = true, backupEligible = false, backedUp = backupEligible } = how
    passkey.signCount = how.signCount ?? (backupEligible ? 0 : passkey.signCount + 1)
    const end = Buffer.alloc(5)
    end.writeUInt8(
      (userPresent ? FLAGS.userPresent : 0) +
        (userVerified ? FLAGS.userVerified : 0) +
        (backupEligible ? FLAGS.backupEligible : 0) +
        (backedUp ? FLAGS.backedUp : 0) +
        more
    )
    end.writeUInt32BE(passkey.signCount, 1)
    return Buffer.concat([sha256(passkey.rpId), end])
  }

  #answer(id: string, { transports = ["internal"] }: AuthenticatorOptions) {
    const isPlatform = transports.includes("internal")
    return {
      id,
      rawId: id,
      type: "public-key",
      authenticatorAttachment: isPlatform ? "platform" : "cross-platform",
      clientExtensionResults: {}
    } as const
  }
}

const clientDataOf = (type: string, challenge: string, { origin }: Ceremony): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
