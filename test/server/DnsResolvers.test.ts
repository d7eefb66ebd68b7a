import { createSocket, type Socket } from "node:dgram"
import { createServer } from "node:net"
import { Context, Effect, Layer } from "effect"
import { afterAll, expect, test } from "vitest"
import { Dns } from "#platform/Dns"
import { layer } from "#server/DnsResolvers"

const NAME = "_sallyport.example.com"

const [TXT, CNAME] = [16, 5]

/** The answer of a stand-in for a resolver: a response code, or records with their type and data. */
type Answer = number | ReadonlyArray<readonly [type: number, data: Buffer]> | "silent"

const texts = (...strings: ReadonlyArray<string>): Buffer =>
  Buffer.concat(strings.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])))

const encodedName = (name: string): Buffer =>
  Buffer.concat([...name.split(".").map((label) => texts(label)), Buffer.from([0])])

const uint16 = (...numbers: ReadonlyArray<number>): Buffer =>
  Buffer.concat(numbers.map((number) => Buffer.from([number >> 8, number & 255])))

/** A DNS response (RFC 1035 §4). `isCut`: only says that the client should ask again over TCP. */
const response = (query: Buffer, answer: Exclude<Answer, "silent">, isCut: boolean): Buffer => {
  const end = query.indexOf(0, 12) + 5
  const type = query.readUInt16BE(end - 4)
  const records = typeof answer === "number" || isCut ? [] : answer.filter(([of]) => of === type || of === CNAME)
  const flags = 0x8180 | (isCut ? 0x0200 : 0) | (typeof answer === "number" ? answer : 0)
  return Buffer.concat([
    query.subarray(0, 2),
    uint16(flags, 1, records.length, 0, 0),
    query.subarray(12, end),
    ...records.map(([of, data]) => Buffer.concat([uint16(0xc00c, of, 1, 0, 60, data.length), data]))
  ])
}

const closing: Array<() => void> = []

afterAll(() => {
  for (const close of closing) close()
})

/** Starts a stand-in for a resolver, over UDP and TCP. Returns its address. */
const resolver = async (answer: Answer): Promise<string> => {
  const tcp = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      if (answer === "silent") return
      const sent = response(Buffer.from(data).subarray(2), answer, false)
      socket.write(Buffer.concat([uint16(sent.length), sent]))
    })
  })
  await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done))
  const address = tcp.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const udp: Socket = createSocket("udp4")
  udp.on("message", (query, { port: to, address: host }) => {
    if (answer === "silent") return
    const sent = response(query, answer, false)
    udp.send(sent.length > 512 ? response(query, answer, true) : sent, to, host)
  })
  await new Promise<void>((done) => udp.bind(port, "127.0.0.1", done))
  closing.push(
    () => udp.close(),
    () => tcp.close()
  )
  return `127.0.0.1:${port}`
}

const lookUp = async (answers: ReadonlyArray<Answer>, limit = 5_000) => {
  const dnsResolvers = await Promise.all(answers.map(resolver))
  const program = Effect.gen(function* () {
    const { txt } = Context.get(yield* Layer.build(layer({ dnsResolvers }, limit)), Dns)
    return yield* txt(NAME)
  })
  return Effect.runPromise(Effect.scoped(program))
}

const found = (...values: ReadonlyArray<string>) => ({ _tag: "Records", values })
const failed = (reason: string) => ({ _tag: "Failure", reason })

test("returns the answer of each resolver, with the strings of a record joined", async () => {
  const record: Answer = [
    [TXT, texts("sallyport-", "verification=x")],
    [TXT, texts("v=spf1 -all")]
  ]
  expect(await lookUp([record, 3, 0, 2, 5])).toEqual([
    found("sallyport-verification=x", "v=spf1 -all"),
    failed("nxdomain"),
    failed("no_record"),
    failed("servfail"),
    failed("servfail")
  ])
})

test("asks over TCP for a large answer, and reports one that is too large", async () => {
  const large: Answer = Array.from({ length: 10 }, (_, place) => [TXT, texts(`${place}${"x".repeat(200)}`)] as const)
  const huge: Answer = Array.from({ length: 240 }, () => [TXT, texts("x".repeat(250))] as const)
  const [one, two] = await lookUp([large, huge])
  expect(one).toMatchObject({ _tag: "Records", values: { length: 10 } })
  expect(two).toEqual(failed("too_large"))
})

test("SEC-295: reports an alias instead of the records of its target", async () => {
  const target = encodedName("elsewhere.example.org")
  const answer: Answer = [
    [CNAME, target],
    [TXT, texts("sallyport-verification=x")]
  ]
  expect(await lookUp([answer])).toEqual([failed("alias")])
})

test("SEC-294: gives up on a resolver that hangs, without waiting for it to answer others", async () => {
  expect(await lookUp(["silent", [[TXT, texts("x")]]], 300)).toEqual([failed("timeout"), found("x")])
})

test("reports a resolver that can't be reached as a timeout", async () => {
  const program = Effect.gen(function* () {
    const { txt } = Context.get(yield* Layer.build(layer({ dnsResolvers: ["127.0.0.1:1"] }, 1_000)), Dns)
    return yield* txt(NAME)
  })
  expect(await Effect.runPromise(Effect.scoped(program))).toEqual([failed("timeout")])
})
