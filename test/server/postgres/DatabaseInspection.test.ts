import { once } from "node:events"
import { connect, createServer } from "node:net"
import { Effect, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Client } from "pg"
import { expect, test } from "vitest"
import { inspect } from "#sql/Inspection"
import { freshDatabase } from "../../support/databases.ts"

const inspected = (url: string) =>
  inspect(Redacted.make(url), { processes: 1 }).pipe(
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  )

const databaseUrl = async () => {
  const target = await freshDatabase()
  return target._tag === "Postgres" ? Redacted.value(target.url) : ""
}

/** Runs statements as the database owner. */
const asOwner = async (url: string, ...statements: ReadonlyArray<string>) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test("finds no problems in a database of this release inspected by its owner", async () => {
  const found = await inspected(await databaseUrl())
  expect(found).toMatchObject({
    isReplica: false,
    pooler: { expected: "none", refuses: undefined, missingLimits: [], isPerTransaction: false },
    privileges: { user: "sallyport", schema: "public", mayCreate: true, unusable: [], foreign: [] },
    migrations: { pending: [] },
    connections: { needed: 15 }
  })
  expect(found.number).toBeGreaterThan(140_000)
  expect(Math.abs(found.clock.ahead)).toBeLessThan(1_000)
  expect(found.connections.used).toBeGreaterThan(0)
})

test("reports a user with too few privileges, an unknown migration and a missing migration", async () => {
  const url = await databaseUrl()
  const other = new URL(url)
  const role = `reader_${other.pathname.slice(-12)}`
  other.username = role
  other.password = "pw"
  await asOwner(
    url,
    `create role ${role} login password 'pw'`,
    `grant usage on schema public to ${role}`,
    `grant select on schema_migrations, users to ${role}`,
    `grant select, insert, update, delete on realms to ${role}`
  )
  const { privileges } = await inspected(other.href)
  expect(privileges).toMatchObject({ user: role, mayCreate: false })
  expect(privileges.foreign).toContain("realms")
  expect(privileges.unusable).toContain("users")
  expect(privileges.unusable).not.toContain("realms")

  await asOwner(url, "delete from schema_migrations where version = 11")
  expect((await inspected(url)).migrations).toMatchObject({ pending: [expect.stringMatching(/^0011_/)] })
  await asOwner(url, "insert into schema_migrations values (999, 'later', '', '2026-01-01')")
  expect((await inspected(url)).migrations).toMatchObject({ reason: "Newer" })
  await asOwner(url, `drop owned by ${role}`, `drop role ${role}`)
})

/** The parameters of a startup packet (PostgreSQL protocol 3.0), and a packet with the given parameters. */
const parametersIn = (packet: Buffer) => {
  const words = packet.subarray(8).toString().split("\0")
  return Array.from(
    { length: Math.floor(words.length / 2) },
    (_, n) => [words[2 * n] ?? "", words[2 * n + 1] ?? ""] as const
  )
}

const startup = (parameters: ReadonlyArray<readonly [string, string]>) => {
  const text = Buffer.from(`${parameters.flat().join("\0")}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(text.length + 8, 0)
  head.writeInt32BE(196_608, 4)
  return Buffer.concat([head, text])
}

const refusalOf = (message: string) => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.from("E....")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Settings that a pooler neither sets nor accepts. */
const limits = ["statement_timeout", "idle_in_transaction_session_timeout"]

/** A pooler in front of a database, which rejects or drops a connection's startup settings. */
const throughPooler = async (url: string, manner: "refuses" | "drops", use: (url: string) => Promise<void>) => {
  const { hostname, port } = new URL(url)
  const pooler = createServer((client) => {
    client.once("data", (packet) => {
      const given = parametersIn(Buffer.from(packet)).filter(([name]) => name !== "")
      const unknown = given.find(([name]) => limits.includes(name))
      if (manner === "refuses" && unknown !== undefined) {
        return client.end(refusalOf(`unsupported startup parameter: ${unknown[0]}`))
      }
      const server = connect(Number(port), hostname)
      server.write(startup(given.filter(([name]) => !limits.includes(name))))
      client.pipe(server).pipe(client)
      for (const socket of [client, server]) socket.on("error", () => [client, server].map((each) => each.destroy()))
    })
  }).listen(0, "127.0.0.1")
  await once(pooler, "listening")
  const address = pooler.address()
  const through = new URL(url)
  through.port = String(typeof address === "object" ? address?.port : 0)
  await use(through.href)
  pooler.close()
}

test("RG-19: detects a pooler that rejects or drops connection settings, and continues the inspection", async () => {
  const url = await databaseUrl()
  await throughPooler(url, "refuses", async (through) => {
    expect(await inspected(through)).toMatchObject({
      pooler: { refuses: "statement_timeout", missingLimits: [] },
      migrations: { pending: [] }
    })
  })
  await throughPooler(url, "drops", async (through) => {
    expect(await inspected(through)).toMatchObject({
      pooler: { refuses: undefined, missingLimits: limits, isPerTransaction: false },
      migrations: { pending: [] }
    })
  })
})
