// Measures the time to verify the most expensive accepted hash of each format, with nothing else running on the core.
// The password is the longest one that Unicode normalization changes, so that a login tries both forms. Prints Markdown
// (SEC-89).
import { DateTime, Effect, Layer } from "effect"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { RealmId } from "#domain/Ids"
import { checkImportedHash } from "#domain/PasswordHash"
import { CurrentRealm, defaultSettings } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"

const realm = {
  ...defaultSettings("v2"),
  id: RealmId.make("rlm_bench"),
  name: "Bench",
  createdAt: DateTime.makeUnsafe(0),
  pendingReset: null
}

const salt = "A".repeat(22)
const longSalt = "A".repeat(171)
const of32 = "A".repeat(43)
const of64 = "A".repeat(86)

const forms: ReadonlyArray<readonly [name: string, bound: string, hash: string]> = [
  ["argon2id with the service's parameters", "19 MiB, 2 passes", `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${of32}`],
  ["argon2id", "m*t ≤ 786,432", `$argon2id$v=19$m=262144,t=3,p=1$${salt}$${of32}`],
  ["argon2i", "m*t ≤ 786,432", `$argon2i$v=19$m=78643,t=10,p=1$${salt}$${of32}`],
  ["argon2d", "m*t ≤ 786,432", `$argon2d$v=19$m=262144,t=3,p=1$${salt}$${of32}`],
  ["bcrypt", "cost ≤ 13", `$2b$13$${"a".repeat(53)}`],
  ["scrypt", "N*r*p ≤ 1,048,576", `$scrypt$ln=17,r=8,p=1$${longSalt}$${of64}`],
  ["Firebase-scrypt", "N*r*p ≤ 1,048,576", `$fbscrypt$v=1,n=17,r=8,p=1,sk=${salt}==$AA==$${salt}==`],
  ["PBKDF2-SHA1", "2,000,000 iterations", `$pbkdf2$2000000$${longSalt}$${"A".repeat(27)}`],
  ["PBKDF2-SHA256", "2,000,000 iterations", `$pbkdf2-sha256$2000000$${longSalt}$${of32}`],
  ["PBKDF2-SHA512", "1,000,000 iterations", `$pbkdf2-sha512$1000000$${longSalt}$${of64}`],
  ["phpass", "32,768 rounds", `$P$D${"A".repeat(8)}${".".repeat(22)}`],
  ["SSHA512", "with 64 bytes of salt", `{SSHA512}${Buffer.alloc(64 + 64).toString("base64")}`]
]

// NFKC changes each of these mathematical letters to another character.
const longest = `${"\u{1d400}".repeat(512)}`
const samples = 5

const timed = Effect.fnUntraced(function* (hash: string) {
  const passwords = yield* PasswordHasher
  const times: Array<number> = []
  for (let n = 0; n < samples; n++) {
    const began = performance.now()
    yield* passwords.verify(hash, longest)
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)
})

const program = Effect.gen(function* () {
  console.log("| form | bound | one login with a password in two forms, median (longest), ms |\n|---|---|---:|")
  for (const [name, bound, hash] of forms) {
    if (checkImportedHash(hash) !== undefined) throw new Error(`${name} was rejected.`)
    const times = yield* timed(hash)
    console.log(`| ${name} | ${bound} | ${times[samples >> 1]?.toFixed(0)} (${times.at(-1)?.toFixed(0)}) |`)
  }
})

await Effect.runPromise(
  program.pipe(
    Effect.provideService(CurrentRealm, realm),
    Effect.provide(PasswordHasher.layer().pipe(Layer.provide(Entropy.layer)))
  )
)
