import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { isCurrentHash, isParsed, parsePasswordHash, checkImportedHash as problemOf } from "#domain/PasswordHash"
import { integer, Natural, oneOf, UnicodeText } from "../support/arbitraries.ts"
import { knownHashes } from "../support/KnownHashes.ts"

const checkImportedHash = (text: string) => problemOf(text)?.code

const sixteen = "c29tZXNhbHRzb21lc2FsdA"
const thirtyTwo = "A".repeat(43)
const argon2 = (parameters: string, type = "argon2id", version = "$v=19") =>
  `$${type}${version}$${parameters}$${sixteen}$${thirtyTwo}`
const scrypt = (parameters: string) => `$scrypt$${parameters}$${sixteen}$${thirtyTwo}`
const bcrypt = (cost: string, prefix = "2b") =>
  `$${prefix}$${cost}$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW`
const pbkdf2 = (iterations: string, digest = "sha256", length = 43) =>
  `$pbkdf2-${digest}$${iterations}$${sixteen}$${"A".repeat(length)}`
const django = (iterations: string) => `pbkdf2_sha256$${iterations}$seasalt$${thirtyTwo}=`
const phpass = (log2: string) => `$P$${log2}IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0`
const firebase = (parameters: string) =>
  `$fbscrypt$v=1,${parameters},ss=Bw==,sk=${thirtyTwo}=$42xEC+ixf3L2lw==$${thirtyTwo}=`
const ssha = (salt: number) => `{SSHA}${Buffer.alloc(20 + salt).toString("base64")}`

describe("an imported hash", () => {
  it.each([
    argon2("m=19456,t=2,p=1"),
    argon2("m=65536,t=3,p=4", "argon2i"),
    argon2("m=4096,t=3,p=1", "argon2d"),
    argon2("m=4096,t=3,p=1", "argon2i", "$v=16"),
    argon2("m=4096,t=3,p=1", "argon2i", ""),
    argon2("m=262144,t=3,p=8"),
    argon2("m=78643,t=10,p=1"),
    bcrypt("04", "2a"),
    bcrypt("13", "2y"),
    scrypt("ln=1,r=1,p=1"),
    scrypt("ln=17,r=8,p=1"),
    scrypt("ln=14,r=8,p=8"),
    scrypt("ln=14,r=64,p=1"),
    pbkdf2("1"),
    pbkdf2("i=2000000"),
    pbkdf2("i=600000,l=32", "sha512"),
    pbkdf2("2000000", "sha1", 27),
    pbkdf2("1000000", "sha512", 86),
    django("1200000"),
    phpass("5"),
    phpass("D"),
    firebase("n=14,r=8,p=1"),
    ssha(4),
    ssha(64)
  ])("is accepted: %s", (text) => expect(checkImportedHash(text)).toBeUndefined())

  it.each([
    argon2("m=2147483648,t=2,p=1"),
    argon2("m=262145,t=2,p=1"),
    argon2("m=262144,t=4,p=8"),
    argon2("m=78644,t=10,p=1"),
    argon2("m=19456,t=11,p=1"),
    argon2("m=19456,t=2,p=9"),
    argon2("m=0,t=2,p=1"),
    argon2("m=63,t=2,p=8"),
    argon2("m=19456,t=0,p=1"),
    argon2("m=19456,t=2,p=0"),
    argon2(`m=${"9".repeat(300)},t=2,p=1`),
    bcrypt("03"),
    bcrypt("14"),
    bcrypt("15"),
    bcrypt("31"),
    bcrypt("99"),
    scrypt("ln=0,r=8,p=1"),
    scrypt("ln=18,r=8,p=1"),
    scrypt("ln=17,r=9,p=1"),
    scrypt("ln=17,r=8,p=2"),
    scrypt("ln=4,r=1,p=17"),
    scrypt("ln=1,r=65,p=1"),
    scrypt("ln=1,r=0,p=1"),
    scrypt("ln=1,r=1,p=0"),
    scrypt("ln=16,r=1,p=1"),
    scrypt(`ln=${"9".repeat(300)},r=8,p=1`),
    scrypt("ln=1,r=1073741824,p=1"),
    pbkdf2("0"),
    pbkdf2("2000001"),
    pbkdf2("4294967295"),
    pbkdf2("2000001", "sha1", 27),
    pbkdf2("1000001", "sha512", 86),
    pbkdf2("i=1000,l=33", "sha256", 44),
    django("0"),
    django("2000001"),
    django("9".repeat(400)),
    phpass("4"),
    phpass("E"),
    phpass("z"),
    firebase("n=31,r=8,p=1"),
    firebase("n=14,r=8,p=1000"),
    firebase("n=0,r=8,p=1"),
    ssha(3),
    ssha(65)
  ])("SEC-16: %s is rejected, because its cost is out of range", (text) =>
    expect(checkImportedHash(text)).toBe("hash_parameters_out_of_range"))

  it("SEC-16: is rejected if its argon2 salt or hash has a length out of range", () => {
    const built = (salt: string, hash: string) => checkImportedHash(`$argon2id$v=19$m=19456,t=2,p=1$${salt}$${hash}`)
    expect(built("AAAA", thirtyTwo)).toBe("hash_parameters_out_of_range")
    expect(built("A".repeat(68), thirtyTwo)).toBe("hash_parameters_out_of_range")
    expect(built(sixteen, "AAAA")).toBe("hash_parameters_out_of_range")
    expect(built(sixteen, "")).toBe("hash_parameters_out_of_range")
    expect(built(sixteen, "A".repeat(88))).toBe("hash_parameters_out_of_range")
  })

  it("SEC-16: is rejected if the salt of another format is empty or too long", () => {
    const built = (salt: string) => checkImportedHash(`$pbkdf2-sha256$1000$${salt}$${thirtyTwo}`)
    expect(built("")).toBe("hash_parameters_out_of_range")
    expect(built("AA")).toBeUndefined()
    expect(built("A".repeat(171))).toBeUndefined()
    expect(built("A".repeat(172))).toBe("hash_parameters_out_of_range")
  })

  it.each([
    "",
    "plain text",
    "{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=",
    "{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=",
    "{SSHA384}pKqkNr1tq3wtQqk+UcPyA3HnA2NsU5NJ",
    "$1$rasmusle$rISCgZzpwk3UhDidwXvin0",
    "md5$salt$5f4dcc3b5aa765d61d8327deb882cf99",
    argon2("m=19456,t=2,p=1", "argon2x"),
    argon2("m=19456,t=2,p=1", "argon2id", "$v=18"),
    argon2("t=2,m=19456,p=1"),
    argon2("m=-1,t=2,p=1"),
    argon2("m=1e9,t=2,p=1"),
    argon2("m=019456,t=2,p=1"),
    `${argon2("m=19456,t=2,p=1")}\n`,
    `${argon2("m=19456,t=2,p=1")}=`,
    `${argon2("m=19456,t=2,p=1").slice(0, -1)}B`,
    argon2(`m=19456,t=2,p=1${" ".repeat(1000)}`),
    bcrypt("5"),
    bcrypt("12", "2x"),
    `${bcrypt("12")}A`,
    scrypt("ln=14,p=1,r=8"),
    scrypt("ln=14,r=8"),
    `${scrypt("ln=14,r=8,p=1")}AA`,
    pbkdf2("1000", "md5"),
    pbkdf2("i=1000,l=31"),
    pbkdf2("1000", "sha512"),
    pbkdf2("01000"),
    `$pbkdf2-sha256$1000$${sixteen}$${thirtyTwo}=\n`,
    "pbkdf2_sha256$1000$$AAAA",
    `pbkdf2_sha256$1000$salt$with$${thirtyTwo}=`,
    phpass("*"),
    firebase("r=8,n=14,p=1"),
    firebase("n=14,r=8,p=1").replace("v=1", "v=2"),
    firebase("n=14,r=8,p=1").replace("sk=", "sk=AAAA"),
    `{SSHA}${"A".repeat(1_020)}`
  ])("is rejected as unsupported: %j", (text) => expect(checkImportedHash(text)).toBe("unsupported_hash"))

  it.each(knownHashes)("SEC-16: %s: is parsed, and rejected when truncated", (_, text) => {
    expect(checkImportedHash(text)).toBeUndefined()
    const cuts = Array.from({ length: text.length }, (_, length) => text.slice(0, length))
    const readable = cuts.filter((cut) => checkImportedHash(cut) !== "unsupported_hash")
    // SSHA salts have no fixed length, and scrypt digests may be half as long, so some truncated texts are valid.
    expect(readable.length).toBeLessThanOrEqual(/^(\{SSHA|\$scrypt)/.test(text) ? 2 : 0)
  })
})

describe("parsing any text", () => {
  const Pieces = Schema.Array(
    Schema.Literals(["$", "=", ",", "argon2id", "2b", "scrypt", "pbkdf2_sha256", "{SSHA}", "12", "AAAA", "$P$9"])
  ).check(Schema.isMaxLength(30))
  const Mutation = Schema.Struct({
    hash: Schema.Literals(knownHashes.map(([, hash]) => hash)),
    at: Natural,
    cut: integer(0, 8),
    put: Schema.String.check(Schema.isMaxLength(4))
  })
  const mutated = Arbitrary.map(Arbitrary.schema(Mutation), ({ hash, at, cut, put }) => {
    const start = at % hash.length
    return hash.slice(0, start) + put + hash.slice(start + cut)
  })
  const texts = oneOf(
    Arbitrary.schema(UnicodeText),
    Arbitrary.map(Arbitrary.schema(Schema.Tuple([UnicodeText, integer(1, 40)])), ([text, times]) => text.repeat(times)),
    Arbitrary.map(Arbitrary.schema(Pieces), (parts) => parts.join("")),
    mutated
  )

  it.prop(
    "SEC-16: never throws and returns a hash or an error code",
    [texts],
    ([text]) => {
      const parsed = parsePasswordHash(text)
      expect(isParsed(parsed) ? parsed.format : parsed.code).toMatch(/^[a-z0-9_]+$/)
      expect(problemOf(text)).toEqual(isParsed(parsed) ? undefined : parsed)
    },
    { arbitrary: { runs: 2_000, size: 40 } }
  )

  it("SEC-16: is fast for hostile texts", () => {
    const started = performance.now()
    for (const [, hash] of knownHashes) {
      for (const filler of ["A", "AA==", "$", "=", "1", "!"]) {
        const text = `${hash.slice(0, hash.lastIndexOf("$") + 1)}${filler.repeat(1_024)}`
        for (let i = 0; i < 10; i++) checkImportedHash(text.slice(0, 1_024))
      }
    }
    checkImportedHash("$pbkdf2$".repeat(1_000_000))
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe("a current hash", () => {
  const current = argon2("m=19456,t=2,p=1")

  it("has our own format and parameters", () => expect(isCurrentHash(current)).toBe(true))

  it.each([
    argon2("m=19456,t=2,p=1", "argon2i"),
    argon2("m=19456,t=2,p=1", "argon2d"),
    argon2("m=19456,t=2,p=1", "argon2id", "$v=16"),
    argon2("m=19456,t=2,p=1", "argon2id", ""),
    argon2("m=19457,t=2,p=1"),
    argon2("m=19456,t=3,p=1"),
    argon2("m=19456,t=2,p=2"),
    current.replace(sixteen, sixteen.slice(0, 16)),
    `${current}${"A".repeat(4)}`,
    bcrypt("12"),
    ...knownHashes.map(([, hash]) => hash),
    "",
    "no hash"
  ])("SEC-16: is not a hash with other parameters: %s", (text) => expect(isCurrentHash(text)).toBe(false))
})
