import { constants, createDecipheriv, createPrivateKey, type KeyObject, privateDecrypt } from "node:crypto"
import { Result } from "effect"
import { decodeUtf8 } from "#domain/Utf8"
import { decodeBase64 } from "./Base64.ts"
import { contentAlgorithms, maskFunctions, oaepDigests, RSA_OAEP, RSA_OAEP_MGF1P } from "./EncryptionAlgorithms.ts"
import { namespaces } from "./Names.ts"
import { childOf, childrenOf, type XmlElement } from "./Xml.ts"

/** Why an assertion can't be decrypted. */
export interface DecryptionProblem {
  readonly check: "encryption_algorithm" | "encrypted_for_other_key" | "decryption"
  readonly found?: string
}

/** A decrypted assertion. `isMalleable`: the ciphertext may have been changed to probe for the plaintext, as with CBC. */
export interface Decrypted {
  readonly text: string
  readonly isMalleable: boolean
}

const MAX_KEYS = 4
const TAG_LENGTH = 16

const { encryption, encryption11, signature } = namespaces

const algorithmOf = (element: XmlElement | undefined): string => element?.attributes.get("Algorithm") ?? ""

const cipherValueOf = (element: XmlElement): Buffer | undefined => {
  const data = childOf(element, encryption, "CipherData")
  const value = data && childOf(data, encryption, "CipherValue")
  return value && decodeBase64(value.text)
}

/** Returns the digest of RSA-OAEP. Node can't combine different digests for the label and the mask. */
const oaepDigestOf = (method: XmlElement): string | undefined => {
  const algorithm = algorithmOf(method)
  const named = childOf(method, signature, "DigestMethod")
  const label = named === undefined ? "sha1" : oaepDigests.get(algorithmOf(named))
  const mask = childOf(method, encryption11, "MGF")
  const forMask = mask === undefined ? "sha1" : maskFunctions.get(algorithmOf(mask))
  if (childrenOf(method, encryption, "OAEPparams").length > 0 || label !== forMask) return undefined
  return algorithm === RSA_OAEP || (algorithm === RSA_OAEP_MGF1P && mask === undefined) ? label : undefined
}

const unwrap = (wrapped: Buffer, oaepHash: string, key: KeyObject): Buffer | undefined => {
  try {
    return privateDecrypt({ key, oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING }, wrapped)
  } catch {
    return undefined
  }
}

/** Removes the padding of XML Encryption, whose last byte is its length. Other last bytes are no error, so that nobody can probe for them. */
const withoutPadding = (bytes: Buffer): Buffer => {
  const length = bytes.at(-1) ?? 0
  return length >= 1 && length <= 16 ? bytes.subarray(0, -length) : bytes
}

type Algorithm = NonNullable<ReturnType<typeof contentAlgorithms.get>>

const open = ({ cipher, vectorLength }: Algorithm, key: Buffer, sealed: Buffer): Buffer | undefined => {
  const vector = sealed.subarray(0, vectorLength)
  const content = sealed.subarray(vectorLength)
  try {
    if (cipher === "aes-128-cbc" || cipher === "aes-256-cbc") {
      const decipher = createDecipheriv(cipher, key, vector).setAutoPadding(false)
      return withoutPadding(Buffer.concat([decipher.update(content), decipher.final()]))
    }
    const decipher = createDecipheriv(cipher, key, vector, { authTagLength: TAG_LENGTH })
    decipher.setAuthTag(content.subarray(-TAG_LENGTH))
    return Buffer.concat([decipher.update(content.subarray(0, -TAG_LENGTH)), decipher.final()])
  } catch {
    return undefined
  }
}

/** The keys for an assertion: inside of the encrypted data, or beside it. */
const encryptedKeysOf = (assertion: XmlElement, data: XmlElement): ReadonlyArray<XmlElement> =>
  [...childrenOf(data, signature, "KeyInfo"), assertion].flatMap((parent) =>
    childrenOf(parent, encryption, "EncryptedKey")
  )

/** Decrypts an `EncryptedAssertion` with one of the private keys (PEM). The caller must verify a signature in the result or around it. */
export const decryptAssertion = (
  assertion: XmlElement,
  privateKeys: ReadonlyArray<string>
): Result.Result<Decrypted, DecryptionProblem> => {
  const data = childOf(assertion, encryption, "EncryptedData")
  const method = data && childOf(data, encryption, "EncryptionMethod")
  const algorithm = contentAlgorithms.get(algorithmOf(method))
  const sealed = data && cipherValueOf(data)
  if (algorithm === undefined) return Result.fail({ check: "encryption_algorithm", found: algorithmOf(method) })
  if (data === undefined || sealed === undefined) return Result.fail({ check: "decryption" })

  const wrapped: Array<{ readonly value: Buffer; readonly digest: string }> = []
  for (const encrypted of encryptedKeysOf(assertion, data).slice(0, MAX_KEYS)) {
    const keyMethod = childOf(encrypted, encryption, "EncryptionMethod")
    const digest = keyMethod && oaepDigestOf(keyMethod)
    const value = cipherValueOf(encrypted)
    if (digest === undefined) return Result.fail({ check: "encryption_algorithm", found: algorithmOf(keyMethod) })
    if (value !== undefined) wrapped.push({ value, digest })
  }
  const keys = privateKeys.map((key) => createPrivateKey(key))
  const key = wrapped
    .flatMap(({ value, digest }) => keys.map((privateKey) => unwrap(value, digest, privateKey)))
    .find((found) => found?.length === algorithm.keyLength)
  if (key === undefined) return Result.fail({ check: "encrypted_for_other_key" })
  const bytes = open(algorithm, key, sealed)
  const text = bytes && decodeUtf8(bytes)
  if (text === undefined) return Result.fail({ check: "decryption" })
  return Result.succeed({ text, isMalleable: algorithm.cipher.endsWith("cbc") })
}
