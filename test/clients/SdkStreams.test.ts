import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import type { RefusedRow, UserRow } from "#client/Client"
import { ConnectionFailed, NotFound, TimedOut } from "#client/Errors"
import type { ExportLine } from "#client/ExportRun"
import { Sallyport } from "#client/Sallyport"
import { uniqueText } from "#testing/Given"
import { service, wireService } from "../support/sallyport.ts"
import { inNewRealm, rootOptions } from "../support/sdk.ts"

const rowsOf = (count: number): ReadonlyArray<UserRow> =>
  Array.from({ length: count }, (_, index) => ({ reference: `r${index}`, email: `r${index}@example.test` }))

const collected = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

/** A client in a new realm that uses a real connection, on which rows and responses are streamed. */
const overConnection = async () => {
  const { realm } = await inNewRealm()
  const { url, key } = await wireService()
  return { sallyport: new Sallyport({ url, key, realmId: realm.id }), realm }
}

/** A client whose response is this text, in several chunks. */
const answering = (parts: ReadonlyArray<string>, status = 200) =>
  new Sallyport({
    url: "https://id.example.com",
    key: "sk_1",
    fetch: async () =>
      new Response(ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))), { status })
  })

describe("an import", () => {
  test("returns its summary when awaited, from a list or any source of rows", async () => {
    const { sallyport, realm } = await overConnection()
    async function* generated() {
      yield* rowsOf(3)
    }
    expect(await sallyport.imports.import(rowsOf(2))).toMatchObject({
      object: "import",
      created: 2,
      realm_id: realm.id
    })
    expect(await sallyport.imports.import(generated())).toMatchObject({ created: 1, unchanged: 2 })
    expect(await sallyport.imports.import(ReadableStream.from(rowsOf(4)))).toMatchObject({ created: 1, unchanged: 3 })
    expect(await sallyport.imports.import(rowsOf(9), { dry_run: true })).toMatchObject({ dry_run: true, created: 5 })
  })

  test("yields the rejected rows when iterated, and then its summary when awaited", async () => {
    const { sallyport } = await overConnection()
    const run = sallyport.imports.import([...rowsOf(2), { reference: "r9", email: "none" }])
    const refused: Array<RefusedRow> = []
    for await (const row of run) refused.push(row)
    expect(refused).toMatchObject([
      { object: "refused_row", line: 3, reference: "r9", error_details: [{ code: "email_form" }] }
    ])
    expect(await run).toMatchObject({ rows: 3, created: 2, refused: 1 })
  })

  test("reports rejected rows while still sending", async () => {
    const { sallyport } = await overConnection()
    let isTold = (_: void) => {}
    const told = new Promise<void>((resolve) => (isTold = resolve))
    async function* waiting() {
      // More than one batch, so that the service responds before the rows end.
      for (let index = 0; index < 900; index += 1) yield { reference: `x${index}`, email: "none" }
      await told
      yield* rowsOf(1)
    }
    const run = sallyport.imports.import(waiting())
    let refused = 0
    for await (const _ of run) {
      refused += 1
      isTold()
    }
    expect([refused, (await run).created]).toEqual([900, 1])
  })

  test("fails with the error of its row source, without undoing earlier rows", async () => {
    const { sallyport } = await overConnection()
    const fault = new Error("The file ended early.")
    async function* broken() {
      yield* rowsOf(2)
      throw fault
    }
    await expect(Promise.resolve(sallyport.imports.import(broken()))).rejects.toBe(fault)
    expect(await sallyport.imports.import(rowsOf(2))).toMatchObject({ rows: 2, refused: 0 })
  })

  test("stops sending rows when iteration ends early", async () => {
    const { sallyport } = await overConnection()
    let isStopped = (_: void) => {}
    const stopped = new Promise<void>((resolve) => (isStopped = resolve))
    async function* endless() {
      try {
        for (let index = 0; ; index += 1) {
          // Enough rows to receive some rejections, then slowly.
          if (index > 900) await setImmediate()
          yield { reference: `x${index}`, email: "none" }
        }
      } finally {
        isStopped()
      }
    }
    for await (const _ of sallyport.imports.import(endless())) break
    await stopped
    // The realm's import slot is free again.
    expect(await sallyport.imports.import(rowsOf(1))).toMatchObject({ created: 1 })
  })

  test("fails like other calls when rejected, and is not sent twice", async () => {
    const { sallyport } = await inNewRealm()
    let given = 0
    function* counted() {
      for (const row of rowsOf(1)) {
        given += 1
        yield row
      }
    }
    await expect(Promise.resolve(sallyport.imports.import(counted(), { realm_id: "rl_none" }))).rejects.toBeInstanceOf(
      NotFound
    )
    expect(given).toBeLessThanOrEqual(1)
  })

  test("fails if the response ends without a summary", async () => {
    const refused = `${JSON.stringify({ object: "refused_row", line: 1, reference: null, errors: [], error_details: [] })}\n`
    const cut = answering([refused]).imports.import([])
    const failure = await Promise.resolve(cut).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConnectionFailed)
    expect(failure).toMatchObject({ message: expect.stringContaining("Send the rows again.") })
  })
})

describe("an export", () => {
  test("yields the rows of all users, in the form that an import accepts", async () => {
    const { sallyport } = await overConnection()
    await sallyport.imports.import(rowsOf(5))
    const rows = await collected(sallyport.exports.export())
    expect(rows.map(({ reference }) => reference)).toEqual(["r0", "r1", "r2", "r3", "r4"])
    const { sallyport: other } = await overConnection()
    expect(await other.imports.import(sallyport.exports.export().lines())).toMatchObject({ complete: true, created: 5 })
    const again = await collected(other.exports.export())
    expect(again.map(({ reference, email }) => ({ reference, email }))).toEqual(rowsOf(5))
  })

  test("starts and ends with the API's marker lines if requested", async () => {
    const { sallyport } = await inNewRealm()
    const lines: ReadonlyArray<ExportLine> = await collected(sallyport.exports.export().lines())
    expect(lines).toEqual([
      { object: "export", secrets: true },
      { object: "export_end", users: 0 }
    ])
  })

  test("frees its slot when iteration ends early", async () => {
    const { sallyport } = await overConnection()
    await sallyport.imports.import(rowsOf(50))
    for await (const _ of sallyport.exports.export()) break
    expect((await collected(sallyport.exports.export())).length).toBe(50)
  })

  test.each([
    ["between two lines", ['{"object":"export","secrets":true}\n', '{"reference":"r1"}\n']],
    ["within a line", ['{"object":"export","secrets":true}\n{"refer', 'ence":"r1"']]
  ])("fails if the response is truncated: %s", async (_, parts) => {
    const failure = await collected(answering(parts).exports.export()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConnectionFailed)
  })

  test("is read correctly whatever the sizes of the chunks", async () => {
    const text = '{"object":"export","secrets":false}\n{"reference":"é"}\n\n{"object":"export_end","users":1}\n'
    const bytes = [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte))
    const { key } = await service()
    const fetch = async () => new Response(ReadableStream.from(bytes))
    const sallyport = new Sallyport({ ...(await rootOptions()), key, fetch })
    expect(await collected(sallyport.exports.export())).toEqual([{ reference: "é" }])
  })

  test("fails if no data arrives within the timeout", async () => {
    const silent = new Sallyport({
      url: "https://id.example.com",
      key: uniqueText("sk"),
      timeout: 5,
      fetch: async (_, { signal }) =>
        new Response(
          new ReadableStream({ start: (to) => signal.addEventListener("abort", () => to.error(signal.reason)) })
        )
    })
    await expect(collected(silent.exports.export())).rejects.toBeInstanceOf(TimedOut)
  })
})
