import { expect, it, layer } from "@effect/vitest"
import { Arbitrary, Context, Effect, Layer, Schema } from "effect"
import { type Client, ClientAddress, isAddressRange } from "#platform/ClientAddress"
import { integer, oneOf, UnicodeText } from "../support/arbitraries.ts"

type Of = (peer: string | undefined, forwardedFor?: string) => Client

/** Reads client addresses, trusting the given proxies. */
const clientReaderTrusting = (...trustedProxies: ReadonlyArray<string>): Effect.Effect<Of> =>
  ClientAddress.pipe(
    Effect.map(
      ({ of }): Of =>
        (peer, forwardedFor) =>
          of({ peer, forwardedFor })
    ),
    Effect.provide(ClientAddress.layer({ trustedProxies }))
  )

class Readers extends Context.Service<Readers, { readonly nobody: Of; readonly proxied: Of }>()("test/Readers") {
  static readonly layer = Layer.effect(
    Readers,
    Effect.all({
      nobody: clientReaderTrusting(),
      proxied: clientReaderTrusting("10.0.0.0/8", "192.0.2.1", "2001:db8:ffff::/48")
    })
  )
}

/** Spellings of 203.0.113.7. */
const ipv4Spellings = [
  "203.0.113.7",
  " 203.0.113.7",
  "203.0.113.7 ",
  "\t203.0.113.7\t",
  "203.0.28935",
  "203.28935",
  "3405803783",
  "0xcb007107",
  "0XCB007107",
  "0xcb.0x0.0x71.0x7",
  "0313.0.0161.07",
  "0313.00.0161.007",
  "031300070407",
  "203.0.0x71.07",
  "::ffff:203.0.113.7",
  "::FFFF:203.0.113.7",
  "::ffff:cb00:7107",
  "::FFFF:CB00:7107",
  "::ffff:cb00:7107%eth0",
  "0::ffff:cb00:7107",
  "::0:ffff:cb00:7107",
  "0:0:0:0:0:ffff:203.0.113.7",
  "0:0:0:0:0:ffff:cb00:7107",
  "0000:0000:0000:0000:0000:FFFF:CB00:7107",
  "[::ffff:203.0.113.7]",
  "[::ffff:cb00:7107]:443",
  "203.0.113.7:443",
  "203.0.113.7:51234",
  "0xcb007107:80",
  "0:0::ffff:203.0.113.7"
]

/** Spellings of 2001:db8::1:0:0:7. */
const ipv6Spellings = [
  "2001:db8::1:0:0:7",
  "2001:DB8::1:0:0:7",
  "2001:0db8::0001:0000:0000:0007",
  "2001:db8:0:0:1::7",
  "2001:db8:0:0:1:0:0:7",
  "2001:db8:0:0:1:0:0.0.0.7",
  "2001:db8::1:0:0:7%2",
  "[2001:db8::1:0:0:7]",
  "[2001:DB8:0::1:0:0:7]:8080"
]

layer(Readers.layer)("SEC-10 (CVE-2026-45364, CVE-2024-47070): reading the client address", (it) => {
  it.effect("maps 30 spellings of one IPv4 address to the same address and key", () =>
    Effect.gen(function* () {
      const { nobody, proxied } = yield* Readers
      expect(new Set(ipv4Spellings).size).toBe(30)
      for (const spelling of ipv4Spellings) {
        expect([spelling, nobody(spelling)]).toEqual([spelling, { ip: "203.0.113.7", key: "203.0.113.7" }])
        expect([spelling, proxied("10.1.2.3", spelling)]).toEqual([spelling, { ip: "203.0.113.7", key: "203.0.113.7" }])
      }
    })
  )

  it.effect("maps the spellings of one IPv6 address to the same address and key", () =>
    Effect.gen(function* () {
      const { nobody, proxied } = yield* Readers
      for (const spelling of ipv6Spellings) {
        const expected = { ip: "2001:db8::1:0:0:7", key: "2001:db8::/64" }
        expect([spelling, nobody(spelling)]).toEqual([spelling, expected])
        expect([spelling, proxied("10.1.2.3", spelling)]).toEqual([spelling, expected])
      }
    })
  )

  it.effect("gives 10,000 addresses in one /64 the same key, and the neighboring /64 another key", () =>
    Effect.gen(function* () {
      const { nobody } = yield* Readers
      const within = Array.from({ length: 10_000 }, (_, n) => `2001:db8:1:2:${n.toString(16)}::${n % 7}`)
      expect(new Set(within.map((address) => nobody(address).ip)).size).toBe(10_000)
      expect([...new Set(within.map((address) => nobody(address).key))]).toEqual(["2001:db8:1:2::/64"])
      expect(nobody("2001:db8:1:3::1").key).toBe("2001:db8:1:3::/64")
      expect(nobody("::1").key).toBe("::/64")
    })
  )

  it.effect("gives each IPv4 address a separate key", () =>
    Effect.gen(function* () {
      const { nobody } = yield* Readers
      expect(nobody("203.0.113.8").key).toBe("203.0.113.8")
      expect(nobody("::ffff:203.0.113.9").key).toBe("203.0.113.9")
    })
  )

  it.effect("ignores a header from an untrusted peer", () =>
    Effect.gen(function* () {
      const { nobody, proxied } = yield* Readers
      for (const header of ["198.51.100.1", "10.0.0.1", "127.0.0.1", "203.0.113.7, 10.0.0.1", "::1"]) {
        expect(nobody("203.0.113.7", header).ip).toBe("203.0.113.7")
        expect(proxied("203.0.113.7", header).ip).toBe("203.0.113.7")
        expect(proxied("192.0.2.2", header).ip).toBe("192.0.2.2")
        expect(proxied(undefined, header)).toEqual({ ip: null, key: "unknown" })
      }
    })
  )

  it.effect.each([
    ["one proxy", "10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["two proxies", "10.0.0.1", "203.0.113.7, 192.0.2.1", "203.0.113.7"],
    ["a proxy in IPv6", "2001:db8:ffff::1", "203.0.113.7", "203.0.113.7"],
    ["an IPv4-mapped proxy", "::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["entries sent by the client", "10.0.0.1", "127.0.0.1, 10.9.9.9, 203.0.113.7", "203.0.113.7"],
    ["a client claiming a proxy's address", "10.0.0.1", "10.0.0.9, 203.0.113.7, 10.0.0.2", "203.0.113.7"],
    ["only proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["no header", "10.0.0.1", undefined, "10.0.0.1"],
    ["an empty header", "10.0.0.1", "", "10.0.0.1"]
  ])("uses the rightmost address that isn't a trusted proxy: %s", ([_, peer, header, ip]) =>
    Effect.gen(function* () {
      const { proxied } = yield* Readers
      expect(proxied(peer, header).ip).toBe(ip)
    })
  )

  it.effect.each([
    ["a name", "client.example"],
    ["unknown", "unknown"],
    ["hidden", "_hidden"],
    ["a number out of range", "203.0.113.256"],
    ["five parts", "203.0.113.7.1"],
    ["an empty entry", "203.0.113.7, ,"],
    ["a space inside", "203.0.113.7 198.51.100.1"],
    ["half an address", "2001:db8:::7"],
    ["an unclosed bracket", "[2001:db8::7"],
    ["a port that is too long", "203.0.113.7:443443"],
    ["a network", "203.0.113.0/24"],
    ["quotes", '"203.0.113.7"'],
    ["a NUL", "203.0.113.7\u0000"],
    ["a very long entry", "1".repeat(16_000)]
  ])("stops at an unreadable entry and uses the last address before it: %s", ([_, entry]) =>
    Effect.gen(function* () {
      const { proxied } = yield* Readers
      expect(proxied("10.0.0.1", entry).ip).toBe("10.0.0.1")
      expect(proxied("10.0.0.1", `203.0.113.9, ${entry}, 10.0.0.2`).ip).toBe("10.0.0.2")
    })
  )

  const Byte = integer(0, 255)
  const Group = integer(0, 0xffff)
  const bytes = Arbitrary.schema(Schema.Tuple([Byte, Byte, Byte, Byte]))
  const ipv4 = Arbitrary.map(bytes, (parts) => parts.join("."))
  /** IPv4 as the C library reads it: up to four parts in any base; the last part fills the remaining bytes. */
  const extendedIpv4 = Arbitrary.map(
    Arbitrary.all([
      bytes,
      Arbitrary.schema(Schema.Struct({ parts: integer(1, 4), base: Schema.Literals([8, 10, 16]) }))
    ]),
    ([all, { parts, base }]) => {
      const last = all.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0)
      const prefix = base === 16 ? "0x" : base === 8 ? "0" : ""
      return [...all.slice(0, parts - 1), last].map((part) => prefix + part.toString(base)).join(".")
    }
  )
  /** IPv6 in groups, with zero groups left out or an IPv4 address at the end. */
  const ipv6 = Arbitrary.map(
    Arbitrary.all([
      Arbitrary.schema(Schema.Array(Group).check(Schema.isBetweenLength(8, 8))),
      Arbitrary.schema(integer(0, 7)),
      Arbitrary.schema(integer(0, 8)),
      ipv4,
      Arbitrary.schema(Schema.Boolean)
    ]),
    ([groups, from, to, end, isMapped]) => {
      const texts = groups.map((group) => group.toString(16))
      const tail = isMapped ? [...texts.slice(0, 6), end] : texts
      return from < to ? `${tail.slice(0, from).join(":")}::${tail.slice(to).join(":")}` : tail.join(":")
    }
  )
  const part = oneOf(
    Arbitrary.schema(UnicodeText),
    ipv4,
    extendedIpv4,
    ipv6,
    Arbitrary.schema(Schema.Literals(["10.0.0.1", "::ffff:10.0.0.2", ...ipv4Spellings, ...ipv6Spellings]))
  )
  const nothing = Arbitrary.Constant(undefined)
  const header = Arbitrary.map(Arbitrary.array(part, { maxLength: 10 }), (parts) => parts.join(", "))

  it.effect.prop(
    "never throws, and returns the same key for the same input",
    [oneOf(part, nothing), oneOf(header, nothing)],
    ([peer, forwardedFor]) =>
      Effect.gen(function* () {
        const { nobody, proxied } = yield* Readers
        const { ip, key } = proxied(peer, forwardedFor)
        expect(key).not.toBe("")
        expect(ip === null).toBe(key === "unknown")
        // A returned address parses to itself.
        if (ip !== null) expect(nobody(ip)).toEqual({ ip, key })
      }),
    { arbitrary: { runs: 2_000, size: 40 } }
  )

  it.effect("accepts only addresses and networks as trusted proxies", () =>
    Effect.gen(function* () {
      for (const range of ["10.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "::1", "2001:db8::/32", " ::ffff:10.0.0.0/104 "]) {
        expect([range, isAddressRange(range)]).toEqual([range, true])
      }
      for (const text of ["", "10", "10.0.0", "0x0a.0.0.1", "10.0.0.0/33", "::/129", "10.0.0.0/", "/8", "proxy", "*"]) {
        expect([text, isAddressRange(text)]).toEqual([text, false])
      }
      expect((yield* clientReaderTrusting("::ffff:10.0.0.0/104"))("10.200.0.1", "203.0.113.7").ip).toBe("203.0.113.7")
      expect((yield* clientReaderTrusting("no network"))("10.200.0.1", "203.0.113.7").ip).toBe("10.200.0.1")
    })
  )
})

it.effect("SEC-100: describes an untrusted peer by its canonical address and whether the address is private", () =>
  Effect.gen(function* () {
    const { untrustedPeer } = yield* ClientAddress
    for (const [peer, ip] of [
      ["127.0.0.1", "127.0.0.1"],
      ["::ffff:192.168.1.5", "192.168.1.5"],
      ["172.17.0.1", "172.17.0.1"],
      ["100.64.0.1", "100.64.0.1"],
      ["FD00:0::1", "fd00::1"],
      ["fe80::1%eth0", "fe80::1"]
    ] as const) {
      expect(untrustedPeer(peer)).toEqual({ ip, isPrivate: true })
    }
    for (const [peer, ip] of [
      ["203.0.113.7", "203.0.113.7"],
      ["::ffff:203.0.113.7", "203.0.113.7"],
      ["2001:DB8::1", "2001:db8::1"]
    ] as const) {
      expect(untrustedPeer(peer)).toEqual({ ip, isPrivate: false })
    }
    for (const peer of [undefined, "", "nonsense", "10.1.2.3", "::ffff:10.1.2.3", "::1"]) {
      expect([peer, untrustedPeer(peer)]).toEqual([peer, undefined])
    }
  }).pipe(Effect.provide(ClientAddress.layer({ trustedProxies: ["10.0.0.0/8", "::1"] })))
)
