import { existsSync } from "node:fs"
import { Context, Effect } from "effect"
import { describe, expect, test } from "vitest"
import { Disk } from "#cli/users/Disk"
import { StopAgain, StopWait } from "#cli/users/ImportStop"
import { bodyOf, exportedRows, exportOf } from "../support/imports.ts"
import { cli, serviceEnvironment } from "./Cli.ts"
import { type Fetch, fetchThatFails, refusedConnection, row, rows, STATE, truncatedResponse } from "./ImportCalls.ts"
import { importLimits, reportLines, usersAtCommand } from "./Users.ts"

const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })

/** A disk that is full for files with this name. */
const fullDisk = (name: string) => {
  const disk = Context.get(Context.empty(), Disk)
  return Context.make(Disk, {
    ...disk,
    open: async (path, flags) => {
      const file = await disk.open(path, flags)
      return path.includes(name)
        ? {
            ...file,
            appendFile: () => Promise.reject(full),
            truncate: async () => undefined,
            sync: async () => undefined,
            close: () => file.close()
          }
        : file
    }
  })
}

describe("an interrupted import", () => {
  test("continues where it stopped when run again, without duplicate or missing users", async () => {
    const { write, path, read, run, importing, realm } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf([...rows(4), { ...row(5), state: "tired" }, ...rows(9).slice(5)]))
    const away = fetchThatFails(3, refusedConnection)
    const stopped = await run(["import", file], { services: importLimits(2), fetch: away.fetch })
    expect(stopped).toMatchObject({ code: 1, out: "" })
    expect(stopped.err).toMatch(
      /^Error: The service at http:\S+ can't be reached: the connection was refused\.\n5 users were imported, and 1 row rejected\. Run the same command to resume\.\nStart the service, .*Then run the same command again to resume\.\n$/
    )
    expect(JSON.parse(read(STATE))).toMatchObject({ records: 6, totals: { created: 5, refused: 1 } })

    const back = fetchThatFails(9, refusedConnection)
    const ended = await importing(file, [], { services: importLimits(2), fetch: back.fetch })
    expect(ended).toMatchObject({
      code: 1,
      told: { rows: 9, rows_of_earlier_runs: 6, created: 8, unchanged: 0, refused: 1 }
    })
    expect(back.sent()).toBe(2)
    expect(reportLines(read("users.ndjson.refused.ndjson"))).toMatchObject([{ line: 5, reference: "crm-5" }])
    expect(existsSync(path(STATE))).toBe(false)
    expect(exportedRows(await exportOf(realm))).toHaveLength(8)
  })

  test("repeats a request whose response was truncated, and reports the repetition", async () => {
    const { write, run, realm } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(4)))
    let cuts = 0
    const cut = fetchThatFails(1, (send) => ((cuts += 1) === 1 ? truncatedResponse(send) : send()))
    const ended = await run(["import", file], { services: importLimits(2, 1), fetch: cut.fetch })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toMatch(
      /^The service at \S+ can't be reached: the connection was lost\. Retrying in 0 s\.\nUp to 2 of the unchanged rows may have been written by an earlier run, which sent them but received no response\.\n$/
    )
    expect(ended.out).toMatch(/\n  2 created\n  2 unchanged\n$/)
    expect(exportedRows(await exportOf(realm))).toHaveLength(4)
  })

  test("waits for a service that restarts, even before its first response", async () => {
    const { write, run, realm } = await usersAtCommand()
    const stopping = {
      object: "import",
      realm_id: realm.id,
      complete: false,
      dry_run: false,
      rows: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      refused: 0,
      orgs_created: 0,
      errors: ["The service is restarting. Send the same rows again."],
      error_details: [{ field: null, code: "stopping", message: "" }]
    }
    const fates = [() => Promise.resolve(Response.json(stopping)), refusedConnection]
    const restarting = fetchThatFails(0, (send) => (fates.shift() ?? send)())
    const ended = await run(["import", write("users.ndjson", bodyOf(rows(2)))], {
      services: importLimits(9, 2),
      fetch: restarting.fetch
    })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toMatch(
      /^The service ended the import: The service is restarting\. .* Retrying in 0 s\.\nThe service at \S+ can't be reached: the connection was refused\. Retrying in 0 s\.\n$/
    )
  })

  test("waits as long as the service requests", async () => {
    const { write, run } = await usersAtCommand()
    const busy = fetchThatFails(1, () =>
      Promise.resolve(
        Response.json(
          { errors: ["Too many requests: at most 100 in 3600 seconds."] },
          {
            status: 429,
            headers: { "retry-after": "0", "x-request-id": "req_1" }
          }
        )
      )
    )
    const ended = await run(["import", write("users.ndjson", bodyOf(rows(4)))], {
      services: importLimits(2, 2),
      fetch: busy.fetch
    })
    expect(ended.code).toBe(1)
    expect(ended.err.match(/Too many requests: .* Retrying in 0 s\./g)).toHaveLength(2)
    expect(busy.sent()).toBe(4)
  })

  test("reports after Ctrl-C what was imported and how to continue", async () => {
    const { write, run, read, importing } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(6)))
    const stop = new AbortController()
    const held = fetchThatFails(2, () => {
      stop.abort()
      return new Promise(() => undefined)
    })
    const stopped = await run(["import", file], { services: importLimits(2), fetch: held.fetch, signal: stop.signal })
    expect(stopped).toEqual({
      code: 130,
      out: "",
      err: "\nStopped. 4 users were imported, and 0 rows rejected. Run the same command to resume.\n"
    })
    expect(JSON.parse(read(STATE))).toMatchObject({ records: 4 })
    expect(await importing(file)).toMatchObject({ code: 0, told: { created: 6, rows_of_earlier_runs: 4 } })
  })

  test("aborts the request on Ctrl-C and counts the rows that the service has processed", async () => {
    const { write, run, read, importing, realm } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf([...rows(2), { ...row(3), state: "tired" }, ...rows(700).slice(3)]))
    const stop = new AbortController()
    let sent = 0
    const stopping: Fetch = async (url, init) => {
      const parts: Array<Uint8Array> = []
      sent += 1
      for await (const part of new Response(init?.body).body ?? []) {
        parts.push(part)
        // The first request has 100 rows.
        if (sent === 2) stop.abort()
        await new Promise(setImmediate)
      }
      return globalThis.fetch(url, { ...init, body: Buffer.concat(parts) })
    }
    const stopped = await run(["import", file], { fetch: stopping, signal: stop.signal })
    // On a busy machine the message says how long it takes.
    const err = stopped.err.replace(/, which takes about \d+ s/, "")
    expect({ ...stopped, err }).toEqual({
      code: 130,
      out: "",
      err: "Stopping after the service has processed the rows it received. Press Ctrl-C again to quit immediately.\n\nStopped. 599 users were imported, and 1 row rejected. Run the same command to resume.\n"
    })
    expect(exportedRows(await exportOf(realm))).toHaveLength(599)
    expect(JSON.parse(read(STATE))).toMatchObject({ records: 600, totals: { created: 599, refused: 1 } })
    expect(await importing(file)).toMatchObject({
      code: 1,
      told: { rows: 700, created: 699, unchanged: 0, refused: 1, unanswered_rows: 0, rows_of_earlier_runs: 600 }
    })
    expect(reportLines(read("users.ndjson.refused.ndjson"))).toMatchObject([{ line: 3 }])
  })

  test.each([
    ["no response arrives in time", Context.make(StopWait, 0)],
    ["Ctrl-C is pressed again", Context.make(StopAgain, Effect.void)]
  ])("reports the rows with unknown results if %s after Ctrl-C", async (_, services) => {
    const { write, run, importing } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(6)))
    const stop = new AbortController()
    const unanswered = fetchThatFails(1, async (send) => {
      await (await send()).text()
      stop.abort()
      return new Promise(() => undefined)
    })
    const options = { fetch: unanswered.fetch, signal: stop.signal, services: Context.merge(importLimits(2), services) }
    const stopped = await run(["import", file], options)
    expect(stopped.code).toBe(130)
    expect(stopped.err).toContain(
      "\nStopped. At least 2 users were imported, and 0 rows rejected. The service received up to 2 more rows, whose outcome is unknown. Run the same command to resume.\n"
    )
    const onward = await run(["import", file, "--dry-run"])
    expect(onward.out).toMatch(/\n  2 created\n  4 unchanged\n$/)
    const ended = await importing(file)
    expect(ended).toMatchObject({
      code: 0,
      told: { created: 4, unchanged: 2, unanswered_rows: 2, rows_of_earlier_runs: 2 }
    })
  })

  test("reports that rows imported without a response count as unchanged in the next run", async () => {
    const { write, run } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(4)))
    const cut = fetchThatFails(1, truncatedResponse)
    const given = await run(["import", file], { services: importLimits(2), fetch: cut.fetch })
    expect(given.err).toContain(
      "\nAt least 2 users were imported, and 0 rows rejected. The service received up to 2 more rows,"
    )
    const ended = await run(["import", file])
    expect(ended.err).toBe(
      "An earlier run processed 2 rows. Resuming after them. It sent up to 2 more rows without a response; those that were imported count as unchanged.\nUp to 2 of the unchanged rows may have been written by an earlier run, which sent them but received no response.\n"
    )
    expect(ended.out).toMatch(/\n  2 created\n  2 unchanged\n$/)
  })

  test("starts over if the earlier rows differ from those of the last run", async () => {
    const { write, run, realm } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(4)))
    await run(["import", file], { services: importLimits(2), fetch: fetchThatFails(1, refusedConnection).fetch })
    write("users.ndjson", bodyOf([{ ...row(1), first_name: "Ada" }, ...rows(4).slice(1)]))
    const ended = await run(["import", file], { services: importLimits(2) })
    expect(ended.err).toBe(
      "An earlier run processed 2 rows. Resuming after them.\nThe input differs from the earlier run's. Starting from the first row.\n"
    )
    expect(ended.out).toMatch(/\n  2 created\n  1 updated\n  1 unchanged\n$/)
    expect(exportedRows(await exportOf(realm))).toHaveLength(4)
  })

  test("starts at the first row in a different realm", async () => {
    const { at, write, run } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(4)))
    await run(["import", file], { services: importLimits(2), fetch: fetchThatFails(1, refusedConnection).fetch })
    const other = await at.given.realm()
    const ended = await cli(["users", "import", file, "--realm", other.id], { environment: serviceEnvironment(at) })
    expect(ended).toMatchObject({ code: 0, err: "" })
    expect(ended.out).toMatch(/\n  4 created\n$/)
  })

  test("preserves its progress file when another import fails at its start", async () => {
    const { at, write, run, read, importing } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(4)))
    await run(["import", file], { services: importLimits(2), fetch: fetchThatFails(1, truncatedResponse).fetch })
    const note = read(STATE)
    const mistyped = await cli(["users", "import", file, "--realm", "rl_typo"], { environment: serviceEnvironment(at) })
    expect(mistyped.code).toBe(1)
    expect(mistyped.err).toContain("\nNo users were imported.\n")
    const unreached = ["users", "import", file, "--realm", (await at.given.realm()).id]
    const options = { environment: serviceEnvironment(at), fetch: fetchThatFails(0, refusedConnection).fetch }
    expect((await cli(unreached, options)).err).toContain("\nNo users were imported.\n")
    expect(read(STATE)).toBe(note)
    expect(await importing(file)).toMatchObject({
      code: 0,
      told: { created: 2, unchanged: 2, unanswered_rows: 2, rows_of_earlier_runs: 2 }
    })
  })

  test("stops if the report can't be written, and continues in the next run", async () => {
    const { write, run, read, importing } = await usersAtCommand()
    const bad = { ...row(3), state: "tired" }
    const file = write("users.ndjson", bodyOf([row(1), row(2), bad, row(4)]))
    const services = Context.merge(importLimits(2), fullDisk("refused"))
    expect(await run(["import", file], { services })).toEqual({
      code: 1,
      out: "",
      err: `Error: Can't write ${file}.refused.ndjson. The disk is full.\n2 users were imported, and 0 rows rejected. Run the same command to resume.\nFree up disk space, or choose another file with --report, and run the same command again to resume the import and the report.\n`
    })
    expect(await importing(file, [], { services: importLimits(2) })).toMatchObject({
      code: 1,
      told: { created: 2, unchanged: 1, refused: 1, rows_of_earlier_runs: 2 }
    })
    expect(reportLines(read("users.ndjson.refused.ndjson"))).toMatchObject([{ line: 3 }])
  })

  test("continues without a progress file if the file can't be written, and explains the consequences", async () => {
    const { write, run, path } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(4)))
    const ended = await run(["import", file], {
      services: Context.merge(importLimits(2), fullDisk("sallyport-import"))
    })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      `Can't save the progress in ${path(STATE)}. The disk is full. If this run is stopped, the next one starts from the first row; imported users won't change.\n`
    )
  })
})
