import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { Context } from "effect"
import { describe, expect, test } from "vitest"
import { Disk } from "#cli/users/Disk"
import { StandardStreams } from "#cli/users/StandardStreams"
import { BCRYPT, bodyOf, exportOf, importRows } from "../support/imports.ts"
import { cli, serviceEnvironment } from "./Cli.ts"
import { usersAtCommand } from "./Users.ts"

const row = (n: number) => ({
  reference: `crm-${n}`,
  email: `user${n}@example.test`,
  first_name: 'Ada "A", B',
  last_name: "of two\nlines",
  custom: { plan: "gold", seats: 3, tags: ["a", "b"] },
  created_at: 1_500_000_000.25,
  credentials: [{ credential_type: "password", password_hash: BCRYPT, created_at: 1_500_000_000 }],
  memberships: [
    {
      org: { reference: "acme", name: "Acme", created_at: 1_400_000_000 },
      permissions: ["ar:owner"],
      created_at: 1_500_000_001
    }
  ]
})

const robot = { reference: "bot", user_type: "api", name: "Robot", created_at: 1_500_000_002 }

const withUsers = async () => {
  const command = await usersAtCommand()
  await importRows(command.realm, [row(1), { ...row(2), first_name: null, last_login_at: 1_600_000_000 }, robot])
  return command
}

/** A standard output that records what is written. */
const recordingStdout = () => {
  const parts: Array<Uint8Array> = []
  const streams = Context.get(Context.empty(), StandardStreams)
  const output = {
    write: (bytes: Uint8Array, done: () => void) => {
      parts.push(bytes)
      done()
    }
  }
  return {
    services: Context.make(StandardStreams, { ...streams, output }),
    text: () => Buffer.concat(parts).toString()
  }
}

describe("users export", () => {
  test.each([
    "users.ndjson",
    "users.ndjson.gz",
    "users.csv",
    "users.csv.gz"
  ])("writes %s that can be imported into an empty realm and exported again unchanged", async (name) => {
    const { run, realm, path } = await withUsers()
    const ended = await run(["export", path(name)])
    expect(ended).toMatchObject({ code: 0, out: "" })
    expect(ended.err).toMatch(/^Exported 3 users to \S+ in [\d.]+ s\.\n$/)
    const other = await usersAtCommand()
    expect(await other.importing(path(name))).toMatchObject({ code: 0, told: { created: 3, orgs_created: 1 } })
    expect(await exportOf(other.realm)).toBe(await exportOf(realm))
  })

  test("writes the service's exact response to a file that only its owner can read", async () => {
    const { run, realm, path, read } = await withUsers()
    await run(["export", path("users.ndjson.gz")])
    expect(gunzipSync(readFileSync(path("users.ndjson.gz"))).toString()).toBe(await exportOf(realm))
    const result = await run(["export", path("users.txt"), "--json"])
    expect(JSON.parse(result.out)).toEqual({
      object: "export",
      users: 3,
      secrets: true,
      file: path("users.txt"),
      format: "ndjson"
    })
    expect(read("users.txt")).toBe(await exportOf(realm))
    expect(statSync(path("users.txt")).mode & 0o777).toBe(0o600)
  })

  test("writes to stdout, compressed with --gzip, as CSV with --format", async () => {
    const { run, realm } = await withUsers()
    const output = recordingStdout()
    expect(await run(["export"], { services: output.services })).toMatchObject({ code: 0, out: "" })
    expect(output.text()).toBe(await exportOf(realm))
    const table = recordingStdout()
    await run(["export", "-", "--format", "csv"], { services: table.services })
    expect(table.text()).toMatch(/^reference,user_type,state,email,.*\r\n/)
  })

  test("reports that the key may not read password hashes", async () => {
    const { at, realm, path } = await withUsers()
    const { id } = realm
    const made = await at.given.root.post("/v2/api_keys", {
      api_key: { name: "admin", level: "admin_realm", realm_id: id }
    })
    const environment = { ...serviceEnvironment(at), SALLYPORT_KEY: made.string("key") }
    const ended = await cli(["users", "export", path("users.ndjson")], { environment })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toContain(
      "It doesn't contain passwords, authenticator apps, API keys and access tokens; exporting them requires a key of level admin_all_realms.\n"
    )
  })

  test("overwrites a file only after confirmation", async () => {
    const { run, write, read, path } = await withUsers()
    write("users.ndjson", "mine\n")
    const asked = await run(["export", path("users.ndjson")])
    expect(asked).toMatchObject({ code: 2 })
    expect(asked.err).toContain("already exists and will be replaced. This can't be confirmed without a terminal.")
    expect(read("users.ndjson")).toBe("mine\n")
    expect(await run(["export", path("users.ndjson"), "--yes"])).toMatchObject({ code: 0 })
    expect(read("users.ndjson")).toContain("export_end")
  })
})

describe("an export leaves no file and reports the failure when", () => {
  /** The folder after an export whose response or disk is faulty. */
  const brokenOff = async (options: {
    readonly change?: (answer: Response) => Promise<Response>
    readonly services?: Context.Context<never>
  }) => {
    const { run, path } = await withUsers()
    const ended = await run(["export", path("users.ndjson")], {
      fetch: async (...request) => {
        const answer = await globalThis.fetch(...request)
        return options.change === undefined ? answer : options.change(answer)
      },
      ...(options.services === undefined ? {} : { services: options.services })
    })
    expect(existsSync(path("users.ndjson"))).toBe(false)
    expect(readdirSync(path("."))).toEqual([])
    return ended
  }

  test("the last line is missing", async () => {
    const ended = await brokenOff({
      change: async (answer) => {
        const lines = (await answer.text()).split("\n")
        return new Response(`${lines.slice(0, 3).join("\n")}\n`)
      }
    })
    expect(ended).toMatchObject({ code: 1, out: "" })
    expect(ended.err).toMatch(
      /^Error: The connection to the service at \S+ was lost after 2 users\.\nNo file was written\.\nRun the command again\. An export always starts from the beginning\.\n$/
    )
  })

  test("the connection is lost", async () => {
    const ended = await brokenOff({
      change: async (answer) => {
        const text = await answer.text()
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from(text.slice(0, 200))),
          pull: (controller) => controller.error(new TypeError("terminated"))
        })
        return new Response(body)
      }
    })
    expect(ended.err).toMatch(/^Error: The connection to the service at \S+ was lost after 0 users\.\n/)
  })

  test("the disk is full", async () => {
    const disk = Context.get(Context.empty(), Disk)
    const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })
    const services = Context.make(Disk, {
      ...disk,
      open: async (path, flags) => {
        const file = await disk.open(path, flags)
        return {
          appendFile: () => Promise.reject(full),
          truncate: (length) => file.truncate(length),
          sync: () => file.sync(),
          close: () => file.close()
        }
      }
    })
    const ended = await brokenOff({ services })
    expect(ended.err).toMatch(
      /^Error: Can't write \S+users\.ndjson\.part\. The disk is full\.\nNo file was written\.\nFree up disk space or choose another file, then run the command again\.\n$/
    )
  })

  test("the service has a newer release", async () => {
    const ended = await brokenOff({ change: async () => new Response(bodyOf([{ users_of: "realm" }])) })
    expect(ended.err).toContain("It is probably newer.\nNo file was written.\n")
  })

  test("the key is wrong", async () => {
    const { at, realm, path } = await usersAtCommand()
    const ended = await cli(["users", "export", path("users.ndjson"), "--realm", realm.id], {
      environment: { ...serviceEnvironment(at), SALLYPORT_KEY: "sk_wrong" }
    })
    expect(ended).toMatchObject({ code: 1, out: "" })
    expect(ended.err).toMatch(
      /^Error: The service at \S+ rejected the API key: .*\nNo file was written\.\nSet SALLYPORT_KEY/
    )
  })
})
