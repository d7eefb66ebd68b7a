import { hash } from "node:crypto"
import { type Cbor, encodeCbor } from "./Cbor.ts"
import { makePasskeyKey, type PasskeyAlgorithm, type PasskeyKey, passkeyAlgorithms } from "./PasskeyKeys.ts"
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions
} from "./WebAuthnJson.ts"

/** How an authenticator does a ceremony. */
export interface AuthenticatorOptions {
  /** Of the keys that it makes. Default: ES256. */
  readonly algorithm?: PasskeyAlgorithm
  /** `packed`: it signs with the new key that it made that key. Default: `none`. */
  readonly attestation?: "none" | "packed"
  /** Its model, as a UUID. Default: zeros, as authenticators say that do not tell it. */
  readonly aaguid?: string
  /** The flag UP: somebody touched it. Default: true. */
  readonly userPresent?: boolean
  /** The flag UV: it knew its owner by a finger, a face or a PIN. Default: true. */
  readonly userVerified?: boolean
  /** The flag BE: its passkeys can be synced to other devices. Default: false. */
  readonly backupEligible?: boolean
  /** The flag BS: they are synced now. Default: as `backupEligible`. */
  readonly backedUp?: boolean
  /** The sign counter that it tells. Default: one more with each ceremony of a passkey; always 0 where it is `backupEligible`. */
  readonly signCount?: number
  /** Whether it keeps passkeys with their user handle, so that they are found without a username. Default: true. */
  readonly discoverable?: boolean
  /** How it is reached. Default: `["internal"]`, in the device itself. */
  readonly transports?: ReadonlyArray<string>
}

/** One ceremony. `origin`: of the page that asks, as the browser tells it. The rest differs from the authenticator's own way. */
export interface Ceremony extends AuthenticatorOptions {
  readonly origin: string
  /** Of `get`: the id of the passkey that the person chooses. Default: the newest that the options allow. */
  readonly passkey?: string
}

/** A passkey that an authenticator keeps. Bytes are base64url. */
export interface Passkey {
  readonly id: string
  readonly rpId: string
  readonly userHandle: string
  readonly discoverable: boolean
}

interface Kept extends Passkey {
  readonly key: PasskeyKey
  signCount: number
}

const sha256 = (data: Uint8Array | string): Buffer => hash("sha256", data, "buffer")

const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, newKey: 0x40 }

/**
 * A browser and an authenticator of passkeys, in software. It takes the options that the service makes and answers as
 * `navigator.credentials` does, with a `DOMException` where that has one: `NotSupportedError`, `InvalidStateError` (the
 * authenticator has a passkey of this user already) or `NotAllowedError` (it has none that fits).
 *
 * It says whatever origin, flags and counter it is told to, so that a test can be honest or attack.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions
  readonly #kept: Array<Kept> = []

  constructor(options: AuthenticatorOptions = {}) {
    this.#options = options
  }

  /** What it keeps, oldest first. */
  get passkeys(): ReadonlyArray<Passkey> {
    return this.#kept.map(({ id, rpId, userHandle, discoverable }) => ({ id, rpId, userHandle, discoverable }))
  }

  /** Makes a passkey, as `navigator.credentials.create()` does. */
  create(options: PasskeyCreationOptions, ceremony: Ceremony): PasskeyRegistration {
    const how = { ...this.#options, ...ceremony }
    const { algorithm = "ES256", aaguid = "", discoverable = true } = how
    const { cose } = passkeyAlgorithms[algorithm]
    if (!options.pubKeyCredParams.some(({ alg }) => alg === cose)) {
      throw new DOMException(`The options do not allow ${algorithm}.`, "NotSupportedError")
    }
    const rpId = options.rp.id ?? new URL(ceremony.origin).hostname
    if (options.excludeCredentials?.some(({ id }) => this.#kept.some((kept) => kept.rpId === rpId && kept.id === id))) {
      throw new DOMException("The authenticator has a passkey of this user already.", "InvalidStateError")
    }
    const key = makePasskeyKey(algorithm)
    const rawId = sha256(key.spki)
    const id = rawId.toString("base64url")
    const passkey: Kept = { id, rpId, userHandle: options.user.id, discoverable, key, signCount: 0 }
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
    this.#kept.push(passkey)
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

  /** Uses a passkey, as `navigator.credentials.get()` does. */
  get(options: PasskeyRequestOptions, ceremony: Ceremony): PasskeyAssertion {
    const how = { ...this.#options, ...ceremony }
    const rpId = options.rpId ?? new URL(ceremony.origin).hostname
    const { allowCredentials: allowed = [] } = options
    const passkey = this.#kept.findLast((kept) => {
      if (kept.rpId !== rpId || (ceremony.passkey !== undefined && kept.id !== ceremony.passkey)) return false
      return allowed.length === 0 ? kept.discoverable : allowed.some(({ id }) => id === kept.id)
    })
    if (passkey === undefined) {
      throw new DOMException("The authenticator has no passkey that fits.", "NotAllowedError")
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

  /** Of which site, who was there and how often the passkey has been used; `more`: flags that the ceremony adds. */
  #authData(passkey: Kept, how: AuthenticatorOptions, more: number): Buffer {
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
