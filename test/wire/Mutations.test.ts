import fc from "fast-check"
import { expect, test } from "vitest"
import { raw } from "../support/rawHttp.ts"
import { wireService } from "../support/sallyport.ts"

const written = (text: string) => Buffer.from(text, "latin1")

/** A change to the bytes of a request: replaces, inserts or removes a byte, repeats a part or truncates the rest. */
const mutation = fc.record({
  kind: fc.constantFrom("replace", "insert", "remove", "repeat", "cut"),
  at: fc.nat(9_999),
  length: fc.integer({ min: 1, max: 30 }),
  byte: fc.oneof(fc.constantFrom(...written('\r\n\0 :;%/{}"[],-0')), fc.nat(255))
})

type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never

const mutated = (bytes: Uint8Array, { kind, at, length, byte }: Mutation): Uint8Array => {
  const start = at % Math.max(1, bytes.length)
  const [before, part, after] = [bytes.subarray(0, start), bytes.subarray(start, start + length), bytes.subarray(start)]
  switch (kind) {
    case "replace":
      return Buffer.concat([before, Buffer.of(byte), after.subarray(1)])
    case "insert":
      return Buffer.concat([before, Buffer.of(byte), after])
    case "remove":
      return Buffer.concat([before, after.subarray(length)])
    case "repeat":
      return Buffer.concat([before, part, part, after.subarray(length)])
    default:
      return before
  }
}

const orgBody = '{"org":{"name":"Acme","custom":{"a":[1,"b"]},"reference":"r"},"request":{"ip":"192.0.2.1"}}'

const loginBody = '{"user":{"password":"seven purple elephants"},"request":{"ip":"192.0.2.1","client":"phone"}}'

test.each([
  ["/v2/orgs", orgBody],
  ["/v2/users/jo@example.test/authenticate", loginBody]
])("a valid request with a few changed bytes causes no server error (SEC-78): POST %s", async (path, body) => {
  const { given, key } = await wireService()
  const realm = await given.realm()
  await realm.user({ email: "jo@example.test", password: "seven purple elephants" })
  const head = [
    `POST ${path}?realm_id=${realm.id} HTTP/1.1`,
    "Host: sallyport.example",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Idempotency-Key: one-of-many",
    "Accept-Language: es, en;q=0.5",
    `Content-Length: ${body.length}`
  ]
  const good = written(`${head.join("\r\n")}\r\n\r\n${body}`)
  const mutations = fc.sample(fc.array(mutation, { minLength: 1, maxLength: 3 }), { seed: 20_260_101, numRuns: 300 })
  for (const changes of mutations) {
    const bytes = changes.reduce<Uint8Array>((before, change) => mutated(before, change), good)
    const sent = Buffer.from(bytes).toString("latin1")
    for (const { status, headers } of await raw(sent, true)) {
      expect([sent, status < 500]).toEqual([sent, true])
      expect(headers.get("content-type")).toBe("application/json")
    }
  }
  expect((await given.root.get("/readyz")).status).toBe(200)
  expect((await realm.org()).status).toBe(201)
})
