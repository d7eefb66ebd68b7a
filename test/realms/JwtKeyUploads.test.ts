import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { decodeProtectedHeader, importSPKI, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import {
  createKey,
  deleteKey,
  firstKeyOf,
  formsOf,
  keysOf,
  newKey,
  pemOf,
  secretOf,
  tokenOf,
  unusualPair
} from "../support/jwtKeys.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { newRealm } from "../support/sallyport.ts"

const currentDate = new Date(STARTS_AT)

const errorOf = ({ status, errors }: Reply) => ({ status, errors })

/** Uploads a key. A rejected key must not be stored and must record no event. */
const upload = async (realm: GivenRealm, algo: string, key: string) => {
  const before = await keysOf(realm)
  const { result, events } = await realm.seen.during(() => createKey(realm, { algo, key }))
  const after = await keysOf(realm)
  if (result.status === 201)
    expect([events, after.length]).toEqual([[{ event_type: "realm.updated" }], before.length + 1])
  else expect([events, after]).toEqual([[], before])
  return result
}

/** Makes the given key the signing key. */
const signWith = async (realm: GivenRealm, attributes: Readonly<Record<string, unknown>>) => {
  const [first, made] = [await firstKeyOf(realm), await newKey(realm, attributes)]
  await deleteKey(realm, first, "?force=true")
  return made
}

const short = "Key is too short (minimum is 32 bytes)."
const known = "Key is a published example or easy to guess. Choose a different one."
const notPrivate = "Key must be an unencrypted RSA private key in PEM format (PKCS #8 or PKCS #1)."
const size = "Key must be an RSA key of 2048 to 8192 bits."
const exponent = "Key must be an RSA key with a public exponent between 65537 and 2147483647."

const rfc7515 = {
  kty: "RSA",
  n: "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
  e: "AQAB",
  d: "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ",
  p: "4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc",
  q: "uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_YwD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc",
  dp: "BwKfV3Akq5_MFZDFZCnW-wzl-CCo83WoZvnLQwCTeDv8uzluRSnm71I3QCLdhrqE2e9YkxvuxdBfpT_PI7Yz-FOKnu1R6HsJeDCjn12Sk3vmAktV2zb34MCdy7cpdTh_YVr7tss2u6vneTwrA86rZtu5Mbr1C1XsmvkxHQAdYo0",
  dq: "h_96-mK1R_7glhsum81dZxjTnYynPbZpHziZjeeHcXYsXaaMwkOlODsWa7I9xXDoRwbKgB719rrmI2oKr6N3Do9U0ajaHF-NKJnwgjMd2w9cjz3_-kyNlxAr2v4IKhGNpmM5iIgOS1VZnOZ68m6_pbLBSp3nssTdlqvd0tIiTHU",
  qi: "IYd7DHOhrWvxkwPQsRM2tOgrjbcrfvtQJipd-DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd_QJQ3ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp_gh6A5603k2-ZQwVK0JKSHuLFkuQ3U"
}

/** The modulus of the RSA key shown on jwt.io. */
const jwtIo =
  "u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0_IzW7yWR7QkrmBL7jTKEn5u-qKhbwKfBstIs-bMY2Zkp18gnTxKLxoS2tFczGkPLPgizskuemMghRniWaoLcyehkd3qqGElvW_VDL5AaWTg0nLVkjRo9z-40RQzuVaE8AkAFmxZzow3x-VJYKdjykkJ0iT9wCS0DRTXu269V264Vf_3jvredZiKRkgwlL9xNAwxXFg0x_XFw005UWVRIkdgcKWTjpBP2dPwVZ4WWC-9aGVd-Gyn1o0CLelf4rEjGoXbAAEgAqeGUxrcIlbjXfbcmw"

const own = formsOf(rsaPairOf(0))
const strong = secretOf(32)

const secrets: ReadonlyArray<readonly [what: string, secret: string, answer: string | 201]> = [
  ["31 bytes", secretOf(31), short],
  ["32 bytes", secretOf(32), 201],
  ["one character", "x", short],
  ["31 characters in 32 bytes", `é${secretOf(30)}`, 201],
  ["255 characters", secretOf(255), 201],
  ["256 characters", secretOf(256), "Key is too long (maximum is 255 characters)."],
  [
    "the key of RFC 7515 A.1 and RFC 7519",
    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
    known
  ],
  [
    "the same key in plain base64",
    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ+EstJQLr/T+1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow==",
    known
  ],
  ["the key of RFC 7520 §3.5", "hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg", known],
  ["the current jwt.io secret", "a-string-secret-at-least-256-bits-long", known],
  [
    "the current jwt.io secret for hs512",
    "a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long",
    known
  ],
  ["a former jwt.io secret, twice", "your-256-bit-secret-your-256-bit-secret", known],
  ["a former jwt.io secret, extended", "my-own-and-your-512-bit-secret-for-production", known],
  ["a key from a tutorial", "404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970", known],
  ["a repeated word", "secretsecretsecretsecretsecretse", known],
  ["a repeated word in mixed case", "SecretSECRETsecretSecretSECRETsecret", known],
  ["ten repeated digits", "0123456789012345678901234567890123456789", known],
  ["a repeated character", "a".repeat(64), known],
  ["zeros", "0".repeat(32), known]
]

const encrypted = rsaPairOf(0)
  .privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" })
  .toString()
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" })
const pss = generateKeyPairSync("rsa-pss", { modulusLength: 2_048 }).privateKey.export({ type: "pkcs8", format: "pem" })

const privateKeys: ReadonlyArray<readonly [what: string, pem: string, answer: string | 201]> = [
  ["PKCS 8", own.pkcs8, 201],
  ["PKCS 1", own.pkcs1, 201],
  ["a key with Windows line endings and surrounding whitespace", `\r\n ${own.pkcs8.replaceAll("\n", "\r\n")}\r\n`, 201],
  ["a key of 3072 bits", unusualPair(3_072).pkcs8, 201],
  ["a key of 2040 bits", unusualPair(2_040).pkcs8, size],
  ["a key of 1024 bits", unusualPair(1_024).pkcs1, size],
  ["a key with the public exponent 3", unusualPair(2_048, 3).pkcs8, exponent],
  ["a public key", own.spki, notPrivate],
  ["a public key in PKCS 1", String(createPublicKey(own.spki).export({ type: "pkcs1", format: "pem" })), notPrivate],
  ["an encrypted key", encrypted, notPrivate],
  ["an elliptic curve key", ec.toString(), notPrivate],
  ["a PSS-only key", pss.toString(), notPrivate],
  ["a JWK", JSON.stringify(own.jwk), notPrivate],
  ["a truncated key", own.pkcs8.slice(0, 900), notPrivate],
  ["base64 without the PEM header and footer", own.pkcs8.split("\n").slice(1, -2).join(""), notPrivate],
  ["an hs256 secret", strong, notPrivate],
  ["a key whose parts don't match", pemOf({ ...own.jwk, n: formsOf(rsaPairOf(1)).jwk.n ?? "" }), notPrivate],
  ["the key of RFC 7515 A.2", pemOf(rfc7515), known],
  ["the key of jwt.io", pemOf({ ...rfc7515, n: jwtIo }), known],
  ["a string longer than any key", "x".repeat(16_385), "Key is too long (maximum is 16384 characters)."]
]

describe("SEC-43: upload of an hs256 secret", () => {
  test.each(secrets)("%s", async (_, key, answer) => {
    const reply = await upload(await newRealm(), "hs256", key)
    if (answer === 201) return expect([reply.status, reply.member("key")]).toEqual([201, key])
    const errors = key === "x" || answer === short ? [short] : [answer]
    expect(errorOf(reply)).toEqual({ status: 422, errors })
    expect(reply.member("error_details", 0, "field")).toBe("key")
  })
})

describe("SEC-43: upload of an rs256 private key", () => {
  test.each(privateKeys)("%s", async (_, key, answer) => {
    const reply = await upload(await newRealm(), "rs256", key)
    if (answer !== 201) return expect(errorOf(reply)).toEqual({ status: 422, errors: [answer] })
    expect([reply.status, reply.member("algo")]).toEqual([201, "rs256"])
    const spki = createPublicKey(key.trim()).export({ type: "spki", format: "pem" })
    expect(reply.member("key")).toBe(spki)
    expect(reply.text).not.toContain("PRIVATE")
  })
})

test("reports every broken rule, in the caller's language", async () => {
  const realm = await newRealm()
  expect((await createKey(realm, { key: "secret".repeat(5) })).errors).toEqual([short, known])
  const jwt_key = { algo: "rs256", use: "sign", key: own.spki }
  const spanish = await realm.post("/v2/jwt_keys", { jwt_key }, { "accept-language": "es" })
  expect(spanish.errors).toEqual([
    "Clave: debe ser una clave privada RSA sin cifrar en formato PEM (PKCS #8 o PKCS #1)."
  ])
})

test("rejects a key with U+0000 or a lone surrogate before checking the key further", async () => {
  const realm = await newRealm()
  for (const key of [`${strong}\u0000`, `${strong}\ud800`]) {
    for (const algo of ["hs256", "rs256"]) {
      expect(errorOf(await upload(realm, algo, key))).toEqual({ status: 422, errors: ["Key is not valid."] })
    }
  }
})

test("signs with the literal UTF-8 bytes of an uploaded secret, including whitespace", async () => {
  for (const key of [strong, ` ${strong}\n`, `pässwörter-${secretOf(30)}-🔑`]) {
    const realm = await newRealm()
    const made = await signWith(realm, { key })
    const token = await tokenOf(realm)
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", kid: made.id, typ: "JWT" })
    await jwtVerify(token, new TextEncoder().encode(key), { algorithms: ["HS256"], currentDate })
    expect((await realm.get(`/v1/realms/${realm.id}`)).body).toMatchObject({ jwt_key: key, jwt_secret: key })
  }
})

test("signs with an uploaded private key, and shows only its public half", async () => {
  const realm = await newRealm()
  const made = await signWith(realm, { algo: "rs256", key: own.pkcs1 })
  const token = await tokenOf(realm)
  expect(decodeProtectedHeader(token)).toEqual({ alg: "RS256", kid: made.id, typ: "JWT" })
  await jwtVerify(token, await importSPKI(own.spki, "RS256"), { currentDate })
  expect((await realm.get(`/v2/realms/${realm.id}`)).body).toMatchObject({ jwt_algo: "rs256", jwt_key: own.spki })
  const jwks = await (await fetch(`${realm.url}/realms/${realm.id}/jwks`)).text()
  expect(JSON.parse(jwks).keys).toMatchObject([{ kid: made.id, n: own.jwk.n }])
  for (const member of ["d", "p", "q", "dp", "dq", "qi"] as const) {
    expect(jwks).not.toContain(`"${member}"`)
    for (const path of ["/v1/jwt_keys", `/v2/jwt_keys/${made.id}`, `/v2/realms/${realm.id}`]) {
      expect((await realm.get(path)).text).not.toContain(String(own.jwk[member]))
    }
  }
})

test("SEC-41 (CVE-2026-9094): rejects tokens of another realm with the same key", async () => {
  const [one, two] = [await newRealm(), await newRealm()]
  const made = [await signWith(one, { key: strong }), await signWith(two, { key: strong })]
  const [mine, theirs] = [await tokenOf(one), await tokenOf(two)]
  expect([mine, theirs].map((token) => decodeProtectedHeader(token).kid)).toEqual(made.map(({ id }) => id))
  const issuer = `https://id.example.test/realms/${two.id}`
  const secret = new TextEncoder().encode(strong)
  await jwtVerify(theirs, secret, { issuer, currentDate })
  await expect(jwtVerify(mine, secret, { issuer, currentDate })).rejects.toThrow('"iss"')
})
