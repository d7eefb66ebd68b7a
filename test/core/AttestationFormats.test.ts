import { createPrivateKey, sign, X509Certificate } from "node:crypto"
import { SettingsService } from "@simplewebauthn/server"
import { describe, expect, test } from "vitest"
import { type AttestedVector, androidKey, apple, attestationRootKey, fidoU2f, tpm } from "./AttestationVectors.ts"
import { base64url, pem, readRegistration, rulesWithAttestation } from "./PasskeyCeremonies.ts"
import { attestationRoot, type CreationVector } from "./PasskeyVectors.ts"

const hex = (text: string) => Buffer.from(text).toString("hex")
const byte = (hex: string) => (hex.length / 2).toString(16).padStart(2, "0")
const length = (hex: string) => (hex.length / 2).toString(16).padStart(4, "0")

/** The only certificate of a statement. */
const certificateIn = ({ attestationObject }: CreationVector): string => {
  const at = attestationObject.indexOf("637835638159") + 12
  const bytes = Number.parseInt(attestationObject.slice(at, at + 4), 16)
  return attestationObject.slice(at + 4, at + 4 + 2 * bytes)
}

/** The same statement with the given certificates. */
const withChain = (vector: CreationVector, chain: ReadonlyArray<string>): CreationVector => {
  const own = certificateIn(vector)
  const x5c = `63783563${(0x80 + chain.length).toString(16)}${chain.map((one) => `59${length(one)}${one}`).join("")}`
  return { ...vector, attestationObject: vector.attestationObject.replace(`637835638159${length(own)}${own}`, x5c) }
}

/** Issues a certificate from the root again, with changes. */
const reissueCertificate = (certificate: string, changes: ReadonlyArray<readonly [string, string]>): string => {
  const signed = certificate.slice(16, 16 + 2 * Number.parseInt(certificate.slice(12, 16), 16))
  const changed = changes.reduce((text, [from, to]) => text.replace(from, to), signed)
  const body = `3082${length(changed)}${changed}`
  const root = new X509Certificate(Buffer.from(attestationRoot, "hex")).publicKey.export({ format: "jwk" })
  const key = createPrivateKey({ key: { ...root, d: base64url(attestationRootKey) }, format: "jwk" })
  const signature = sign("sha256", Buffer.from(body, "hex"), key).toString("hex")
  const bits = `03${(signature.length / 2 + 1).toString(16)}00${signature}`
  const whole = `${body}300a06082a8648ce3d040302${bits}`
  return `3082${length(whole)}${whole}`
}

/** The vectors use a TPM of a fictitious manufacturer. This TPM is Intel's. */
const byIntel = withChain(tpm.creation, [
  reissueCertificate(certificateIn(tpm.creation), [[hex("id:00000000"), hex("id:494E5443")]])
])

/** The key description extension: the challenge, then the software's and the device's authorization lists. */
const keyDescription = (challenge: string, software: string, device: string) => {
  const lists = `30${byte(software)}${software}30${byte(device)}${device}`
  const description = `0202012c0a01000201000a01000420${challenge}0400${lists}`
  const value = `30${byte(description)}${description}`
  const extension = `060a2b06010401d67902011104${byte(value)}${value}`
  return `30${byte(extension)}${extension}`
}

const NONE = "3045060a2b06010401d679020111043730350202012c0201000201000201000420"

/** An Android key of the vectors with the given lists. Real devices send the manufacturer's root, too. */
const byAndroid = (software: string, device: string) => {
  const certificate = certificateIn(androidKey.creation)
  const at = certificate.indexOf(NONE)
  const before = certificate.slice(at, at + 2 * 0x47)
  const after = keyDescription(before.slice(NONE.length, NONE.length + 64), software, device)
  const more = (after.length - before.length) / 2
  const extensions = [`a381a83081a5`, `a381${(0xa8 + more).toString(16)}3081${(0xa5 + more).toString(16)}`] as const
  return withChain(androidKey.creation, [
    reissueCertificate(certificate, [[before, after], extensions]),
    attestationRoot
  ])
}

/** Authorization entries: the key's purpose is signing, and the key was generated in the device. */
const SIGNS = "a1053103020102"
const MADE = "bf853e03020100"
const IMPORTED = "bf853e03020102"
const FOR_ALL = "bf8458020500"

/** U2F keys have no model id (AAGUID). */
const withoutModel: CreationVector = {
  ...fidoU2f.creation,
  attestationObject: fidoU2f.creation.attestationObject.replace(fidoU2f.creation.aaguid, "0".repeat(32))
}

/** Runs `use` with the vectors' root instead of the manufacturers' roots. */
const withRoots = async <A>(use: () => Promise<A>): Promise<A> => {
  const identifiers = ["apple", "android-key"] as const
  const before = identifiers.map((identifier) => SettingsService.getRootCertificates({ identifier }))
  for (const identifier of identifiers) SettingsService.setRootCertificates({ identifier, certificates: [pem] })
  try {
    return await use()
  } finally {
    for (const [at, identifier] of identifiers.entries())
      SettingsService.setRootCertificates({ identifier, certificates: before[at] ?? [] })
  }
}

const formats: ReadonlyArray<readonly [string, CreationVector, AttestedVector, boolean]> = [
  ["tpm", byIntel, tpm, false],
  ["fido-u2f", withoutModel, fidoU2f, false],
  ["android-key", byAndroid("", SIGNS + MADE), androidKey, true],
  ["apple", apple.creation, apple, true]
]

describe.each(formats)("SEC-119: an attestation statement of the format %s (C133)", (_, good, {
  login
}, ofOneMaker) => {
  test("is accepted only for the right passkey and challenge, and only if the root is known", async () => {
    await withRoots(async () => {
      expect(await readRegistration(good, rulesWithAttestation)).toMatchObject({ passkeyId: base64url(good.id) })
      expect(await readRegistration({ ...good, challenge: login.challenge }, rulesWithAttestation)).toBe(
        "passkey_invalid"
      )
      const key = good.attestationObject.slice(-2)
      const other = `${good.attestationObject.slice(0, -2)}${key === "00" ? "01" : "00"}`
      expect(await readRegistration({ ...good, attestationObject: other }, rulesWithAttestation)).toBe(
        "passkey_invalid"
      )
    })
  })

  test("is rejected if the root is unknown, even if a realm trusts the root for a single-vendor format", async () => {
    expect(await readRegistration(good, { attestation: "direct" })).toBe("passkey_attestation")
    const byRealm = await readRegistration(good, rulesWithAttestation)
    if (ofOneMaker) expect(byRealm).toBe("passkey_attestation")
    else expect(byRealm).toMatchObject({ passkeyId: base64url(good.id) })
  })
})

test("SEC-119: only an Android key declared as a signing key and generated in the device is accepted", async () => {
  await withRoots(async () => {
    for (const [software, device] of [
      ["", ""],
      ["", SIGNS],
      ["", MADE],
      ["", SIGNS + IMPORTED],
      [FOR_ALL, SIGNS + MADE]
    ] as const) {
      expect(await readRegistration(byAndroid(software, device), rulesWithAttestation)).toBe("passkey_invalid")
    }
    expect(await readRegistration(byAndroid(MADE, SIGNS), rulesWithAttestation)).toMatchObject({ signCount: 0 })
  })
})
