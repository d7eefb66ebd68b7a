import { createHash, pbkdf2Sync, scryptSync } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { hash as argon2 } from "@node-rs/argon2"
import { hash as bcrypt } from "@node-rs/bcrypt"
import { Arbitrary, Effect, Schema } from "effect"
import { costOf, paddingMemory, standardCost } from "#domain/HashCost"
import { isParsed, parsePasswordHash, standardParams } from "#domain/PasswordHash"
import { integer } from "../support/arbitraries.ts"
import { makePasswords, OneRealm } from "../support/hashing.ts"
import { knownHashes } from "../support/KnownHashes.ts"

const PASSWORD = "correct horse"
const salt = Buffer.from("a salt of 16 b..")
const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "")
const ssha = Buffer.concat([createHash("sha1").update(PASSWORD).update(salt).digest(), salt]).toString("base64")

/** Hashes of this password that cost a fraction of ours. */
const makeCheap = async (): Promise<ReadonlyArray<readonly [name: string, hash: string]>> => [
  ["bcrypt cost 4", await bcrypt(PASSWORD, 4)],
  ["SSHA", `{SSHA}${ssha}`],
  ["PBKDF2, 77 iterations", `$pbkdf2-sha256$77$${plain(salt)}$${plain(pbkdf2Sync(PASSWORD, salt, 77, 32, "sha256"))}`],
  ["scrypt, 16", `$scrypt$ln=4,r=2,p=3$${plain(salt)}$${plain(scryptSync(PASSWORD, salt, 32, { N: 16, r: 2, p: 3 }))}`],
  ["argon2, 64 KiB", await argon2(PASSWORD, { memoryCost: 64, timeCost: 1 })]
]

layer(OneRealm, { excludeTestServices: true })("the cost of a password check", (it) => {
  it.effect("SEC-95: equals one current hash for cheap imported hashes and for unknown users", () =>
    Effect.gen(function* () {
      const passwords = yield* makePasswords()
      const workFor = Effect.fnUntraced(function* (password: string, hash: string | undefined) {
        const before = passwords.totalCost
        const right = yield* passwords.withHashing((hashing) =>
          hash === undefined ? hashing.verifyDummy(password) : hashing.verify(hash, password)
        )
        return [right, passwords.totalCost - before] as const
      })
      for (const [name, hash] of yield* Effect.promise(makeCheap)) {
        // The third password has two forms, and both are tried.
        for (const [password, forms] of [
          [PASSWORD, 1],
          ["wrong horse", 1],
          ["contrasen\u0303a", 2]
        ] as const) {
          const [nobody, ofNobody] = yield* workFor(password, undefined)
          const [right, work] = yield* workFor(password, hash)
          expect([name, password, right, nobody]).toEqual([name, password, password === PASSWORD, false])
          expect([name, ofNobody]).toEqual([name, forms])
          expect(work).toBeGreaterThanOrEqual(ofNobody)
          expect(work).toBeLessThan(ofNobody * 1.01)
        }
      }
    })
  )

  it.each(knownHashes)("SEC-95: %s: is at least one current hash", (_, hash) => {
    const parsed = parsePasswordHash(hash)
    if (!isParsed(parsed)) throw new Error("A known hash was not parsed.")
    const all = costOf(parsed) + paddingMemory(parsed, standardParams) * standardParams.passes
    expect(all).toBeGreaterThanOrEqual(standardCost(standardParams))
  })

  const parsed = Arbitrary.schema(Schema.Struct({ memory: integer(8, 262_144), passes: integer(1, 10) })).pipe(
    Arbitrary.map(({ memory, passes }) =>
      parsePasswordHash(`$argon2i$v=19$m=${memory},t=${passes},p=1$${"A".repeat(22)}$${"A".repeat(43)}`)
    ),
    Arbitrary.filter(isParsed)
  )

  it.prop(
    "SEC-95: is padded up to the cost of a current hash, and no further, for any parameters",
    [parsed],
    ([hash]) => {
      const ours = standardCost(standardParams)
      const all = costOf(hash) + paddingMemory(hash, standardParams) * standardParams.passes
      expect(all).toBeGreaterThanOrEqual(ours)
      expect(all).toBeLessThanOrEqual(Math.max(costOf(hash), ours + 16))
    }
  )
})
