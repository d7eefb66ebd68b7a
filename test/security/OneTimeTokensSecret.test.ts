import { createHash, randomUUID } from "node:crypto"
import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { dump, query } from "../support/query.ts"
import { isolatedService, newRealm, ownService } from "../support/sallyport.ts"
import { type Holder, newHolder, tokenKinds } from "../support/tokenKinds.ts"
import { latestEventToken, passwordToken } from "../support/tokens.ts"

/** The encodings in which a token might appear in the database. */
const spellings = (token: string) => {
  const bytes = Buffer.from(token)
  const secret = token.slice(4)
  return [secret, bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")]
}

describe("SEC-28: one-time tokens can't be guessed", () => {
  test.each(Object.entries(tokenKinds))("%s: has its prefix and 43 base62 characters, and never repeats", async (kind, {
    make
  }) => {
    const realm = await newRealm()
    const holder = await newHolder(realm)
    const tokens: Array<string> = []
    for (let n = 0; n < 5; n += 1) tokens.push(await make(realm, holder))
    for (const token of tokens) expect(token).toMatch(new RegExp(`^${kind}[0-9A-Za-z]{43}$`))
    expect(new Set(tokens.map((token) => token.slice(0, kind.length + 8))).size).toBe(tokens.length)
    expect(new Set(tokens.map((token) => token.slice(-8))).size).toBe(tokens.length)
  })
})

describe("SEC-28, SEC-46, SEC-47: a database dump", () => {
  test("contains no tokens, passwords, TOTP seeds or API keys in plain text", () =>
    isolatedService(async ({ given, sql, key }) => {
      const realm = await given.realm()
      const holder = await newHolder(realm)
      const { id } = holder.user
      const tokens: Array<string> = []
      for (const { make } of Object.values(tokenKinds)) tokens.push(await make(realm, holder))
      const keyed = { "idempotency-key": randomUUID() }
      tokens.push(
        (await realm.post(`/v2/users/${id}/generate_password_token`, {}, keyed)).string("token"),
        (await realm.post(`/v2/users/${id}/request_email_verification`, {}, keyed)).string("token"),
        (await realm.session(id)).string("token").split(".")[2] ?? "",
        (await realm.as("write")).key ?? ""
      )
      const device = await realm.post("/v2/credentials", {
        credential: { user_id: id, credential_type: "totp", name: "x" }
      })
      const apiUser = await realm.apiUser({ api_key: "generate" })
      const secrets = [...tokens, device.string("otp_secret"), apiUser.string("api_key"), PASSWORD, key]
      const tables = await dump(sql)
      // The dump contains readable data and rows of every table.
      const users = tables.find(([name]) => name === "users")?.[1]
      expect(users).toContain(holder.user.string("email"))
      const digests = tables.find(([name]) => name === "one_time_tokens")?.[1]
      expect(digests).toContain(
        createHash("sha256")
          .update(tokens[0] ?? "")
          .digest("base64")
      )
      const found = tables.flatMap(([table, text]) =>
        secrets.flatMap((secret) =>
          spellings(secret).flatMap((spelling) => (text.includes(spelling) ? [[table, secret]] : []))
        )
      )
      expect(found).toEqual([])
    }))

  test("contains encrypted tokens that can't be decrypted in another user's row", () =>
    ownService(async ({ given, sql }) => {
      const realm = await given.realm()
      const [user, other] = [await realm.user(), await realm.user()]
      const mine = await passwordToken(realm, user.id)
      expect(await latestEventToken(realm, "user.password.resetting")).toBe(mine)
      const theirs = await passwordToken(realm, other.id)
      await query(sql`update one_time_tokens t set secret = o.secret from one_time_tokens o
        where t.user_id = ${user.id} and o.user_id = ${other.id}`)
      const read = await realm.get(`/v2/events?event_type=user.password.resetting&user_id=${user.id}`)
      expect([read.status, read.items.map(({ token }) => token)]).toEqual([200, [null]])
      expect(read.text).not.toContain(theirs)
    }))
})

/** A token with a few characters removed, added or changed. */
const damagedVariants = (token: string, prefix: string): ReadonlyArray<unknown> => {
  const { length } = token
  const other = (at: number) => token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
  const truncated = [1, 2, 3, 4, 8, 16, 32, length - prefix.length].map((n) => token.slice(0, length - n))
  const withoutStart = [token.slice(1), token.slice(prefix.length), prefix + token.slice(prefix.length + 1)]
  const padded = [
    `${token}0`,
    `${token} `,
    `${token}\n`,
    `${token}\u0000`,
    ` ${token}`,
    `${token}${token}`,
    `${token}%`
  ]
  const changed = [prefix.length, prefix.length + 1, 20, length - 2, length - 1].map(other)
  const cased = [token.toUpperCase(), token.toLowerCase(), token.replace(/^\w/, (first) => first.toUpperCase())]
  const malformed = [[token], { token }, `${prefix}%`, `${prefix}${"_".repeat(43)}`, `${prefix}${"0".repeat(43)}`]
  return [...truncated, ...withoutStart, ...padded, ...changed, ...cased, ...malformed]
}

describe("SEC-42: a token that was truncated, padded or changed by a character", () => {
  const bodies: Readonly<Record<string, (holder: Holder) => readonly [path: string, extra: object]>> = {
    kli_: ({ user, device }) => [`/v1/users/${user.id}/authenticate_code`, { code: device.code() }],
    "tmf:": ({ device }) => ["/v2/users/authenticate_token", { code: device.code() }],
    kpw_: () => ["/v1/users/--/reset_password_with_token", { password: "nine purple hippos" }],
    "tpw:": () => ["/v2/users/reset_password_with_token", { password: "nine purple hippos" }],
    "tve:": () => ["/v2/users/verify_email", {}],
    "tue:": () => ["/v1/users/--/verify_email", {}],
    nvt_: ({ user }) => [`/v2/users/${user.id}/accept_invitation`, {}],
    utk_: () => ["/v1/users", { user_type: "human", username: "newcomer", email: "newcomer@example.test" }]
  }

  test.each(Object.entries(tokenKinds))("a %s token is rejected, while the original token stays valid", async (kind, {
    make,
    use
  }) => {
    const realm = await newRealm()
    const holder = await newHolder(realm)
    const token = await make(realm, holder)
    const [path, extra] = bodies[kind]?.(holder) ?? ["", {}]
    const events = await realm.seen.caused(async () => {
      for (const presented of damagedVariants(token, kind)) {
        const reply = await realm.post(path, { user: { ...extra, token: presented } })
        const rejected = kind === "kli_" ? [404, 422] : [422]
        expect([presented, reply.status, rejected.includes(reply.status)]).toEqual([presented, reply.status, true])
      }
    })
    expect(events).toEqual([])
    expect((await use(realm, token, holder)).status).toBeLessThan(300)
  })
})
