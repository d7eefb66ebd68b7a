import { request } from "node:http"
import { it } from "@effect/vitest"
import { Effect, Fiber, Logger, References, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { ImportConflict, MAX_ROWS } from "#domain/ImportRow"
import { Overloaded } from "#domain/Overloaded"
import type { GivenRealm } from "#testing/Given"
import { Batches } from "../support/importBatches.ts"
import { bodyOf, counts, exportedRows, importRows, linesOf, rejections } from "../support/imports.ts"
import { service, wireService } from "../support/sallyport.ts"

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ reference: `crm-${n}`, email: `user-${n}@example.test` }))

/** Awaits a fiber's result, advancing the clock by a second whenever it waits. */
const untilDone = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(work)
  while (fiber.pollUnsafe() === undefined) {
    yield* Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))
    yield* TestClock.adjust("1 second")
  }
  return yield* Fiber.join(fiber)
})

test("imports only whole batches before a lost connection, and a repeat continues with the same rows", async () => {
  const { url, key, given } = await wireService()
  const realm = await given.realm()
  const rows = rowsOf(1_000)
  const headers = {
    authorization: `Bearer ${key}`,
    "x-service-realm": realm.id,
    "content-type": "application/x-ndjson"
  }
  const sender = request(`${url}/v2/imports`, { method: "POST", headers })
  sender.on("error", () => undefined)
  sender.write(
    bodyOf([...rows.slice(0, 400), ...rows.slice(0, 399).map((row) => ({ ...row, reference: `${row.reference}-x` }))])
  )
  await expect
    .poll(async () => (await realm.get("/v2/users?max_results=1000")).items.length, { timeout: 10_000 })
    .toBe(400)
  sender.destroy()
  await expect
    .poll(async () => counts(await importRows(realm, rows)), { timeout: 10_000 })
    .toEqual({ created: 600, updated: 0, unchanged: 400, refused: 0 })
  const { items } = await realm.get("/v2/events?event_type=realm.import")
  expect(items.map(({ event_type, import: outcome }) => [event_type, outcome])).toEqual([
    ["realm.importing", undefined],
    [
      "realm.imported",
      { complete: false, rows: 400, created: 400, updated: 0, unchanged: 0, refused: 0, orgs_created: 0 }
    ],
    ["realm.importing", undefined],
    [
      "realm.imported",
      { complete: true, rows: 1_000, created: 600, updated: 0, unchanged: 400, refused: 0, orgs_created: 0 }
    ]
  ])
})

/** Sends rows in two parts, and loses access in between. Returns the last line of the response. */
const importInterruptedBy = async (
  realm: GivenRealm,
  target: string,
  headers: Readonly<Record<string, string>>,
  loseAccess: () => Promise<unknown>
) => {
  const more = { "x-service-realm": realm.id, "content-type": "application/x-ndjson" }
  const sender = request(target, { method: "POST", headers: { ...headers, ...more } })
  const answer = new Promise<string>((resolve, reject) => {
    sender.on("error", reject)
    sender.on("response", async (response) => resolve((await response.setEncoding("utf8").toArray()).join("")))
  })
  const rows = rowsOf(800)
  sender.write(bodyOf(rows.slice(0, 400)))
  await expect.poll(async () => (await realm.get("/v2/users")).items.length, { timeout: 10_000 }).toBe(100)
  await loseAccess()
  sender.end(bodyOf(rows.slice(400)))
  return linesOf(await answer).at(-1)
}

test("SEC-284: an import ends when its API key is deleted", async () => {
  const { url, given } = await wireService()
  const realm = await given.realm()
  const created = await realm.post("/v2/api_keys", { api_key: { name: "Importer", level: "admin_realm" } })
  const headers = { authorization: `Bearer ${created.string("key")}` }
  const last = await importInterruptedBy(realm, `${url}/v2/imports`, headers, () =>
    realm.delete(`/v2/api_keys/${created.string("id")}`)
  )
  expect(last).toMatchObject({ object: "import", complete: false, error_details: [{ code: "key_unknown" }] })
  expect(last?.["created"]).toBeLessThan(800)
})

test("SEC-284: an export breaks off when its API key is deleted", async () => {
  const { url, given } = await wireService()
  const realm = await given.realm()
  const custom = { text: "x".repeat(4_000) }
  await importRows(
    realm,
    rowsOf(4_000).map((row) => ({ ...row, custom }))
  )
  const created = await realm.post("/v2/api_keys", { api_key: { name: "Exporter", level: "admin_realm" } })
  const headers = { authorization: `Bearer ${created.string("key")}` }
  const received: Array<string> = []
  const response = await fetch(`${url}/v2/exports`, { headers })
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      if (received.length === 0) await realm.delete(`/v2/api_keys/${created.string("id")}`)
      received.push(Buffer.from(chunk).toString("latin1"))
    }
  }
  await expect(read()).rejects.toThrow("terminated")
  expect(received.join("")).not.toContain("export_end")
})

test("returns 409 for a second import or export of the realm while an import runs", async () => {
  const { url, key, given } = await wireService()
  const [realm, other] = [await given.realm(), await given.realm()]
  const headers = {
    authorization: `Bearer ${key}`,
    "x-service-realm": realm.id,
    "content-type": "application/x-ndjson"
  }
  const sender = request(`${url}/v2/imports`, { method: "POST", headers })
  sender.on("error", () => undefined)
  sender.write(bodyOf(rowsOf(400)))
  await expect.poll(async () => (await realm.get("/v2/users")).items.length, { timeout: 10_000 }).toBe(100)
  const refused = await Promise.all([
    realm.get("/v2/exports"),
    realm.post("/v2/imports", bodyOf(rowsOf(1)), { "content-type": "application/x-ndjson" })
  ])
  for (const reply of refused) {
    expect([reply.status, reply.member("error_details", 0, "code")]).toEqual([409, "import_running"])
  }
  expect(exportedRows((await other.get("/v2/exports")).text)).toEqual([])
  sender.destroy()
  expect(counts(await importRows(realm, rowsOf(400)))["unchanged"]).toBe(400)
})

test("rejects a line that is too long or isn't text, and imports the other lines", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const [first, second] = rowsOf(2)
  const long = JSON.stringify({
    reference: "long",
    email: "long@example.test",
    custom: { text: "x".repeat(1024 * 1024) }
  })
  const imported = await importRows(realm, [first ?? {}, long, second ?? {}])
  expect(rejections(imported)).toEqual([[2, "null line_too_long"]])
  expect(counts(imported)).toEqual({ created: 2, updated: 0, unchanged: 0, refused: 1 })
})

test("accepts an empty body, and a last line without a line break", async () => {
  const { given } = await service()
  const realm = await given.realm()
  expect(counts(await importRows(realm, ""))).toEqual({ created: 0, updated: 0, unchanged: 0, refused: 0 })
  const text = bodyOf(rowsOf(1)).trimEnd()
  expect(counts(await importRows(realm, `\r\n${text}`))["created"]).toBe(1)
})

it.effect("returns a summary of the received rows when the sender stalls for 30 seconds", () =>
  Effect.gen(function* () {
    const batches = new Batches()
    const sent = Stream.concat(Stream.make(bodyOf(rowsOf(400))), Stream.never)
    const lines = yield* untilDone(batches.answer(sent))
    expect(lines.at(-1)).toMatchObject({
      complete: false,
      created: 400,
      error_details: [{ code: "sender_stalled", params: { seconds: 30 } }]
    })
  })
)

/** Ways in which a body that ends within its last row continues, with the code in its summary. */
const cuts: ReadonlyArray<
  readonly [code: string, rest: Stream.Stream<string, string>, stopping?: Effect.Effect<void>]
> = [
  ["sender_gone", Stream.fail("gone")],
  ["sender_stalled", Stream.never],
  ["stopping", Stream.never, Effect.sleep("5 seconds")]
]

it.effect.each(cuts)("imports only the whole lines of a body truncated within a row: %s", ([code, rest, stopping]) =>
  Effect.gen(function* () {
    const batches = new Batches()
    const sent = Stream.make(bodyOf(rowsOf(5)), '{"reference":"crm-5","email":"us')
    const lines = yield* untilDone(batches.answer(Stream.concat(sent, rest), stopping))
    expect(lines).toMatchObject([
      { object: "import", complete: false, rows: 5, created: 5, refused: 0, error_details: [{ code }] }
    ])
  })
)

it.effect("ends the import of a body without any object after a hundred lines", () =>
  Effect.gen(function* () {
    const pretty = JSON.stringify(rowsOf(200), null, 2)
    const none = yield* new Batches().answer(Stream.make(pretty))
    expect(none.slice(0, -1).map((line) => Reflect.get(line, "line"))).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 1)
    )
    expect(none.at(-1)).toMatchObject({
      complete: false,
      rows: 100,
      refused: 100,
      error_details: [{ code: "no_rows", params: { lines: 100 } }]
    })
    const some = new Batches()
    const mixed = [...Array.from({ length: 99 }, () => "nonsense"), ...rowsOf(400), "nonsense"]
    const lines = yield* some.answer(Stream.make(bodyOf(mixed)))
    expect(lines.at(-1)).toMatchObject({ complete: true, rows: 500, created: 400, refused: 100 })
  })
)

it.effect("logs the result of a finished import even if the caller is gone", () =>
  Effect.gen(function* () {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message, logLevel: level, fiber }) => {
      logged.push({ message, level, ...fiber.getRef(References.CurrentLogAnnotations) })
    })
    const [whole, cut] = [new Batches(), new Batches()]
    const lost = Stream.concat(Stream.make(bodyOf(rowsOf(400))), Stream.fail("gone"))
    yield* Effect.provide(whole.answer(Stream.make(bodyOf(rowsOf(10)))), Logger.layer([logger]))
    yield* Effect.provide(cut.answer(lost), Logger.layer([logger]))
    const fields = { message: ["An import has ended."], api_key_id: "key_a", realm: "rlm_a", dry_run: false }
    expect(logged).toMatchObject([
      {
        ...fields,
        level: "Info",
        complete: true,
        rows: 10,
        created: 10,
        refused: 0,
        ms: 0,
        request_id: expect.any(String)
      },
      { ...fields, level: "Warn", complete: false, reason: "sender_gone", rows: 400, created: 400 }
    ])
    expect(logged[0]).not.toHaveProperty("reason")
  })
)

it.effect("ignores rows beyond 100,000 and reports the ignored rows in the summary", () =>
  Effect.gen(function* () {
    const batches = new Batches()
    const part = bodyOf(rowsOf(1_001))
    const sent = Stream.fromIterable(Array.from({ length: 100 }, () => part))
    const lines = yield* batches.answer(sent)
    expect(batches.rows).toBe(MAX_ROWS)
    expect(lines.at(-1)).toMatchObject({ complete: false, error_details: [{ code: "too_many_rows" }] })
  })
)

it.effect("retries a batch while the database is unavailable, and reports the retries in the summary", () =>
  Effect.gen(function* () {
    const busy = new Batches({
      failures: 3,
      defect: new Overloaded({ retryAfterSeconds: 1, reason: "transactions: too many at once" })
    })
    expect((yield* untilDone(busy.answer(Stream.make(bodyOf(rowsOf(10)))))).at(-1)).toMatchObject({
      complete: true,
      created: 10
    })

    const away = new Batches({
      failures: 100,
      defect: new Overloaded({ retryAfterSeconds: 1, reason: "transactions: too many at once" })
    })
    const [summary] = yield* untilDone(away.answer(Stream.make(bodyOf(rowsOf(10)))))
    expect(summary).toMatchObject({ complete: false, created: 0, error_details: [{ code: "overloaded" }] })
  })
)

it.effect("ends an import with a summary when the node is stopping, or after repeated conflicts", () =>
  Effect.gen(function* () {
    const stopping = new Batches()
    expect(yield* untilDone(stopping.answer(Stream.never, Effect.sleep("1 second")))).toMatchObject([
      { complete: false, error_details: [{ code: "stopping" }] }
    ])

    const contested = new Batches({ failures: 1, failure: new ImportConflict() })
    const lines = yield* contested.answer(Stream.make(bodyOf(rowsOf(10))))
    expect(lines).toMatchObject([{ complete: false, error_details: [{ code: "import_conflict" }] }])
  })
)

test("creates each user once in two concurrent imports into a realm", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const rows = rowsOf(500)
  const both = await Promise.all([importRows(realm, rows), importRows(realm, rows)])
  const created = both.map((one) => Number(counts(one)["created"]))
  expect(created.reduce((sum, one) => sum + one, 0)).toBe(500)
  expect(exportedRows((await realm.get("/v2/exports")).text).length).toBe(500)
})
