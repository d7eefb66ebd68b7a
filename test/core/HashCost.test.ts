import { createHash, pbkdf2Sync, scryptSync } from "node:crypto"
import { hash as argon2 } from "@node-rs/argon2"
import { hash as bcrypt } from "@node-rs/bcrypt"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { costOf, paddingMemory, standardCost } from "#domain/HashCost"
import { isParsed, parsePasswordHash, standardParams } from "#domain/PasswordHash"
import { makePasswords, runIn } from "../support/hashing.ts"
import { knownHashes } from "../support/KnownHashes.ts"

const run = runIn("rlm_a")
const PASSWORD = "correct horse"
const salt = Buffer.from("a salt of 16 b..")
const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "")
const ssha = Buffer.concat([createHash("sha1").update(PASSWORD).update(salt).digest(), salt]).toString("base64")

/** Hashes that take a fraction of ours, each of this password. */
const cheap = async (): Promise<ReadonlyArray<readonly [name: string, hash: string]>> => [
  ["bcrypt cost 4", await bcrypt(PASSWORD, 4)],
  ["SSHA", `{SSHA}${ssha}`],
  ["PBKDF2, 77 iterations", `$pbkdf2-sha256$77$${plain(salt)}$${plain(pbkdf2Sync(PASSWORD, salt, 77, 32, "sha256"))}`],
  ["scrypt, 16", `$scrypt$ln=4,r=2,p=3$${plain(salt)}$${plain(scryptSync(PASSWORD, salt, 32, { N: 16, r: 2, p: 3 }))}`],
  ["argon2, 64 KiB", await argon2(PASSWORD, { memoryCost: 64, timeCost: 1 })]
]

describe("the work of a try", () => {
  test("SEC-95: a cheap imported hash takes the work of one of ours, right or wrong, as nobody's does", async () => {
    const passwords = await makePasswords()
    const workFor = async (password: string, hash: string | undefined) => {
      const before = passwords.totalCost
      const right = await run(
        passwords.withHashing((hashing) =>
          hash === undefined ? hashing.verifyDummy(password) : hashing.verify(hash, password)
        )
      )
      return [right, passwords.totalCost - before] as const
    }
    for (const [name, hash] of await cheap()) {
      // The second can be typed in two ways: both are tried.
      for (const [password, forms] of [
        [PASSWORD, 1],
        ["wrong horse", 1],
        ["contrasen\u0303a", 2]
      ] as const) {
        const [nobody, ofNobody] = await workFor(password, undefined)
        const [right, work] = await workFor(password, hash)
        expect([name, password, right, nobody]).toEqual([name, password, password === PASSWORD, false])
        expect([name, ofNobody]).toEqual([name, forms])
        expect(work).toBeGreaterThanOrEqual(ofNobody)
        expect(work).toBeLessThan(ofNobody * 1.01)
      }
    }
  })

  test.each(knownHashes)("SEC-95: %s: takes no less than one of ours", async (_, hash) => {
    const parsed = parsePasswordHash(hash)
    if (!isParsed(parsed)) throw new Error("A known hash was not read.")
    const all = costOf(parsed) + paddingMemory(parsed, standardParams) * standardParams.passes
    expect(all).toBeGreaterThanOrEqual(standardCost(standardParams))
  })

  test("SEC-95: what is missing is made up for, whatever the parameters, and nothing beyond", () => {
    const argon2 = fc.tuple(fc.integer({ min: 8, max: 262_144 }), fc.integer({ min: 1, max: 10 }))
    fc.assert(
      fc.property(argon2, ([memory, passes]) => {
        const parsed = parsePasswordHash(
          `$argon2i$v=19$m=${memory},t=${passes},p=1$${"A".repeat(22)}$${"A".repeat(43)}`
        )
        fc.pre(isParsed(parsed))
        if (!isParsed(parsed)) return
        const ours = standardCost(standardParams)
        const all = costOf(parsed) + paddingMemory(parsed, standardParams) * standardParams.passes
        expect(all).toBeGreaterThanOrEqual(ours)
        expect(all).toBeLessThanOrEqual(Math.max(costOf(parsed), ours + 16))
      })
    )
  })
})
