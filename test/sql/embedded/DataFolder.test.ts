import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, test } from "vitest"
import { Connections, layer } from "#sql/Database"
import { hold } from "#sql/LockFile"

let folder = ""
const children: Array<ChildProcess> = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sallyport-data-"))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
})

/** Another process that holds the folder and has written its rows. */
const holder = async (id: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "DataFolderHolder.ts"), folder, id], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  children.push(child)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve())
    child.once("exit", () => reject(new Error("the other process ended early")))
  })
  return child
}

const killed = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGKILL")
  await ended
}

const onFolder = <A, E>(program: Effect.Effect<A, E, Connections>) =>
  Effect.provide(program, layer({ _tag: "Embedded", dataDir: folder }))

const rows = Connections.use(({ fast }) => fast<{ id: string }>`select id from kept order by id`)

const held = Effect.scoped(Effect.suspend(() => hold(folder)))

test("what was acknowledged survives a kill, and what was not committed is gone", { timeout: 40_000 }, async () => {
  for (const id of ["r1", "r2"]) await killed(await holder(id))
  expect(await Effect.runPromise(onFolder(rows))).toEqual(
    ["r1", "r1 in a transaction", "r2", "r2 in a transaction"].map((id) => ({ id }))
  )
})

test("a second process is refused with the pid of the first, until that one is gone", async () => {
  const other = await holder("r1")
  const error = await Effect.runPromise(Effect.flip(onFolder(rows)))
  expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "InUse" })
  expect(error.message).toBe(
    `The data folder ${folder} is in use by the process with pid ${other.pid}: only one process can use it at a time.`
  )
  await killed(other)
  expect(await Effect.runPromise(onFolder(rows))).toHaveLength(2)
})

test("a second instance in one process is refused, and the folder is free again afterwards", async () => {
  const refused = onFolder(Connections.use(() => Effect.flip(onFolder(rows))))
  for (const error of [await Effect.runPromise(refused), await Effect.runPromise(refused)]) {
    expect(error).toMatchObject({ reason: "InUse" })
    expect(error.message).toContain(`this process (pid ${process.pid})`)
  }
  expect(readdirSync(folder)).toEqual(["database"])
})

test("a start that was cut short leaves no half-made database", async () => {
  const unfinished = join(folder, "database.unfinished")
  writeFileSync(unfinished, "what was left")
  await Effect.runPromise(onFolder(Connections.use(({ fast }) => fast`select count(*) from realms`)))
  expect(existsSync(unfinished)).toBe(false)
})

const lock = (text: string, age = 0) => {
  const path = join(folder, "lock")
  writeFileSync(path, text)
  const then = new Date(Date.now() - age)
  utimesSync(path, then, then)
  return path
}

test("the lock of a process that is gone is taken over", async () => {
  await Effect.runPromise(held)
  const child = spawn(process.execPath, ["-e", ""])
  await new Promise((resolve) => child.once("exit", resolve))
  lock(JSON.stringify({ ...(await ownLock()), pid: child.pid }))
  await Effect.runPromise(held)
  expect(existsSync(join(folder, "lock"))).toBe(false)
})

test.runIf(existsSync("/proc/self/stat"))("the lock of an earlier process of the same pid is taken over", async () => {
  lock(JSON.stringify({ ...(await ownLock()), start: "1" }))
  await Effect.runPromise(held)
})

test("of many that find an abandoned lock one gets the folder", async () => {
  lock(JSON.stringify({ pid: 1, start: "1", place: "elsewhere", token: "t" }), 120_000)
  const exits = await Effect.runPromise(
    Effect.scoped(Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(hold(folder)), { concurrency: 20 }))
  )
  expect(exits.filter((exit) => exit._tag === "Success")).toHaveLength(1)
})

test("a holder in another container is known by its pulse", async () => {
  const path = lock(JSON.stringify({ pid: 7, start: "1", place: "elsewhere", token: "t" }))
  const pulse = setInterval(() => utimesSync(path, new Date(), new Date()), 300)
  const error = await Effect.runPromise(Effect.flip(held)).finally(() => clearInterval(pulse))
  expect(error.message).toContain("pid 7 on another machine or in another container")
})

/** What a lock of this very process says. */
const ownLock = async (): Promise<Record<string, unknown>> => {
  const text = Effect.andThen(
    hold(folder),
    Effect.sync(() => readFileSync(join(folder, "lock"), "utf8"))
  )
  return JSON.parse(await Effect.runPromise(Effect.scoped(text)))
}
