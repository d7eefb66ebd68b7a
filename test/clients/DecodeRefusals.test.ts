import { createHmac } from "node:crypto"
import { describe, expect, it, layer } from "@effect/vitest"
import { Arbitrary, Context, Effect, Layer, Schema } from "effect"
import { decodeJwt } from "jose"
import { type Decode, type DecoderOptions, decoder } from "#client/Decode"
import { STARTS_AT } from "#testing/TestSallyport"
import { oneOf, UnicodeText } from "../support/arbitraries.ts"
import {
  allDecoders,
  decoding,
  jwksOf,
  keyOf,
  newRealm,
  outcome,
  secretDecoders,
  tokenOf
} from "../support/decoding.ts"
import { encode, forged } from "../support/forgedTokens.ts"
import { ownService } from "../support/sallyport.ts"

const START = STARTS_AT / 1000

/** One decoder for each way to name a key. */
class Decoders extends Context.Service<Decoders, ReadonlyArray<Decode>>()("test/Decoders") {
  static readonly layer = Layer.effect(
    Decoders,
    Effect.promise(async () => [
      ...(await allDecoders(await newRealm({ jwt_algo: "rs256" }))),
      ...(await secretDecoders(await newRealm()))
    ])
  )
}

const part = oneOf(
  Arbitrary.schema(UnicodeText),
  Arbitrary.map(Arbitrary.schema(Schema.Json), (json) => Buffer.from(JSON.stringify(json)).toString("base64url"))
)

const tokens = oneOf(
  part,
  Arbitrary.map(Arbitrary.array(part, { maxLength: 5 }), (parts) => parts.join("."))
)

describe("Decode returns null for", () => {
  it("an expired token, starting with the second of the exp claim", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ session_minutes: 60 })
      const token = await tokenOf(realm)
      const decode = decoder({ jwtKey: await keyOf(realm), now: () => new Date(clock.currentTimeMillisUnsafe()) })
      clock.advance(3_600_000 - 1)
      expect(await outcome(decode, token)).toBe("decoded")
      clock.advance(1)
      expect(await outcome(decode, token)).toBe("null")
    }))

  it("a token that has expired by the machine's own clock, the default", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm)
    const claims = { ...decodeJwt(token), exp: Math.floor(Date.now() / 1000) + 60 }
    const decode = decoder({ jwtKey: await keyOf(realm) })
    expect(await outcome(decode, forged({ alg: "HS256" }, claims, await keyOf(realm)))).toBe("decoded")
    expect(
      await outcome(decode, forged({ alg: "HS256" }, { ...claims, exp: claims.exp - 120 }, await keyOf(realm)))
    ).toBe("null")
  })

  it("C31: a token without exp, unless allowed", async () => {
    const realm = await newRealm({ session_type: "unmanaged", session_minutes: 0, api_key_minutes: 0 })
    const robot = await realm.apiUser({ api_key: "generate" })
    const login = await realm.post("/v1/users/authenticate_key", { api_key: robot.string("api_key") })
    const [strict, lenient] = [await decoding(realm), await decoding(realm, { allowUnending: true })]
    for (const token of [await tokenOf(realm), login.string("token")]) {
      expect(await strict(token)).toBeNull()
      expect(await lenient(token)).toMatchObject({ object: "session", expires_at: null, token })
    }
    const ended = forged({ alg: "HS256" }, { ...decodeJwt(await tokenOf(realm)), exp: START }, await keyOf(realm))
    expect(await lenient(ended)).toBeNull()
  })

  it("SEC-42: a token that is truncated, padded or changed in a single character", async () => {
    const [shared, realm] = [await newRealm(), await newRealm({ jwt_algo: "rs256" })]
    const decoders = [
      ...(await secretDecoders(shared)).map((decode) => [shared, decode] as const),
      ...(await allDecoders(realm)).map((decode) => [realm, decode] as const)
    ] as const
    for (const [of, decode] of decoders) {
      const token = await tokenOf(of)
      const changed = Array.from(
        token,
        (sign, at) => token.slice(0, at) + (sign === "A" ? "B" : "A") + token.slice(at + 1)
      )
      const last = token.at(-1) ?? ""
      const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      const others = Array.from(signs)
        .filter((sign) => sign !== last)
        .map((sign) => token.slice(0, -1) + sign)
      const padded = [
        `${token}=`,
        `${token}A`,
        ` ${token}`,
        `${token} `,
        `${token}.`,
        `.${token}`,
        `${token}\n`,
        token.replace(".", "=.")
      ]
      const cut = [
        token.slice(0, -1),
        token.slice(1),
        token.slice(0, token.lastIndexOf(".") + 1),
        token.slice(0, token.lastIndexOf("."))
      ]
      for (const one of [...changed, ...others, ...padded, ...cut]) expect(await decode(one), one).toBeNull()
      expect(await outcome(decode, token)).toBe("decoded")
    }
  })

  it("SEC-39: a token whose algorithm doesn't match the key", async () => {
    const realm = await newRealm({ jwt_algo: "rs256" })
    const [pem, token] = [await keyOf(realm), await tokenOf(realm)]
    const [head = "", body = ""] = token.split(".")
    const claims = decodeJwt(token)
    const header = { ...JSON.parse(Buffer.from(head, "base64url").toString()), alg: "HS256" }
    const unsigned = ["none", "None", "NONE"].map((alg) => `${encode({ ...header, alg })}.${body}.`)
    const confused = [pem, ` ${pem}`, pem.trim(), JSON.stringify((await jwksOf(realm)).keys[0])].flatMap((secret) =>
      ["HS256", "hs256", "RS256", "HS512", undefined, ["HS256"]].map((alg) =>
        forged({ ...header, alg }, claims, secret)
      )
    )
    for (const decode of await allDecoders(realm)) {
      for (const one of [...unsigned, ...confused]) expect(await decode(one), one).toBeNull()
    }
    const shared = await newRealm()
    const [secret, decode] = [await keyOf(shared), await decoding(shared)]
    const good = decodeJwt(await tokenOf(shared))
    expect(await outcome(decode, forged({ alg: "HS256" }, good, secret))).toBe("decoded")
    const input = `${encode({ alg: "HS512" })}.${encode(good)}`
    const longer = `${input}.${createHmac("sha512", secret).update(input).digest("base64url")}`
    for (const decode of await secretDecoders(shared)) {
      for (const one of [
        longer,
        forged({ alg: "HS256", crit: ["exp"] }, good, secret),
        forged({ alg: "HS256", b64: false, crit: ["b64"] }, good, secret),
        forged(["HS256"], good, secret),
        forged({ alg: "HS256" }, good, `${secret} `)
      ]) {
        expect(await decode(one), one).toBeNull()
      }
      expect(await decode(token)).toBeNull()
    }
  })

  it("SEC-41: a token of another realm, identified by key, realmId or issuer", async () => {
    const [one, two] = [await newRealm(), await newRealm()]
    const [publicOne, publicTwo] = [await newRealm({ jwt_algo: "rs256" }), await newRealm({ jwt_algo: "rs256" })]
    expect(await outcome(await decoding(two), await tokenOf(one))).toBe("null")
    for (const decode of await allDecoders(publicTwo)) {
      expect(await outcome(decode, await tokenOf(publicOne))).toBe("null")
      expect(await outcome(decode, await tokenOf(publicTwo))).toBe("decoded")
    }
    const issuer = `https://id.example.test/realms/${one.id}`
    const outcomeWith = async (options: Partial<DecoderOptions>) =>
      outcome(await decoding(one, options), await tokenOf(one))
    expect(await outcomeWith({ realmId: one.id, issuer })).toBe("decoded")
    expect(await outcomeWith({ realmId: two.id })).toBe("null")
    expect(await outcomeWith({ issuer: `${issuer}/` })).toBe("null")
  })

  it("a token whose claims are not login claims", async () => {
    const realm = await newRealm()
    const [secret, decode, claims] = [await keyOf(realm), await decoding(realm), decodeJwt(await tokenOf(realm))]
    const odd = [null, [], 7, "x", {}, { exp: claims.exp }]
    const lacking = ["sub", "sid", "rid", "iat"].flatMap((name) =>
      [undefined, true, {}].map((value) => ({ ...claims, [name]: value }))
    )
    const timeless = ["soon", null, {}].map((exp) => ({ ...claims, exp }))
    for (const one of [...odd, ...lacking, ...timeless]) {
      expect(await decode(forged({ alg: "HS256" }, one, secret)), JSON.stringify(one)).toBeNull()
    }
    // Claims in a form that the service never produces are dropped.
    const strange = { ...claims, name: 7, cs: [], orgs: [7, null, { oid: {}, perm: "x" }], email_verified: "yes" }
    const decoded = await decode(forged({ alg: "HS256" }, strange, secret))
    expect(decoded?.user).not.toHaveProperty("name")
    expect(decoded?.user.memberships).toStrictEqual([
      { object: "membership", org_id: null, user_id: claims.sub, permissions: [] }
    ])
  })

  layer(Decoders.layer)((it) => {
    it.effect.prop(
      "text that is not a token",
      [tokens],
      ([text]) =>
        Effect.gen(function* () {
          for (const decode of yield* Decoders) expect(yield* Effect.promise(() => decode(text))).toBeNull()
        }),
      { arbitrary: { seed: 20_260_101 } }
    )

    it.effect("values that are not strings", () =>
      Effect.gen(function* () {
        for (const decode of yield* Decoders) {
          for (const nothing of [undefined, null, 7, {}]) {
            expect(yield* Effect.promise(() => Reflect.apply(decode, undefined, [nothing]))).toBeNull()
          }
        }
      })
    )
  })
})
