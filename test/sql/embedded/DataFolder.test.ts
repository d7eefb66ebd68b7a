import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

/** Starts another process that locks the folder, and waits until that process has written its rows. */
const holder = (id: string): Effect.Effect<ChildProcess> =>
  Effect.callback((resume) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "DataFolderHolder.ts"), folder, id], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    children.push(child)
    child.stdout?.once("data", () => resume(Effect.succeed(child)))
    child.once("exit", () => resume(Effect.die(new Error("the other process ended early"))))
  })

const ended = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    child.once("exit", () => resume(Effect.void))
  })

const killed = (child: ChildProcess): Effect.Effect<void> =>
  Effect.andThen(
    Effect.sync(() => child.kill("SIGKILL")),
    ended(child)
  )

const onFolder = <A, E>(program: Effect.Effect<A, E, Connections>) =>
  Effect.provide(
    program,
    Layer.suspend(() => layer({ _tag: "Embedded", dataDir: folder }))
  )

const rows = Connections.use(({ fast }) => fast<{ id: string }>`select id from kept order by id`)

const held = Effect.scoped(Effect.suspend(() => hold(folder)))

it.live(
  "acknowledged writes survive a kill, and uncommitted writes don't",
  () =>
    Effect.gen(function* () {
      for (const id of ["r1", "r2"]) yield* killed(yield* holder(id))
      expect(yield* onFolder(rows)).toEqual(
        ["r1", "r1 in a transaction", "r2", "r2 in a transaction"].map((id) => ({ id }))
      )
    }),
  40_000
)

it.live("a second process is rejected with the first process's PID while the first is running", () =>
  Effect.gen(function* () {
    const other = yield* holder("r1")
    const error = yield* Effect.flip(onFolder(rows))
    expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "InUse" })
    expect(error.message).toBe(
      `The data folder ${folder} is in use by the process with pid ${other.pid}: only one process can use it at a time.`
    )
    yield* killed(other)
    expect(yield* onFolder(rows)).toHaveLength(2)
  })
)

it.live("a second instance in one process is rejected, and the folder is free afterwards", () =>
  Effect.gen(function* () {
    const refused = onFolder(Connections.use(() => Effect.flip(onFolder(rows))))
    for (const error of [yield* refused, yield* refused]) {
      expect(error).toMatchObject({ reason: "InUse" })
      expect(error.message).toContain(`this process (pid ${process.pid})`)
    }
    expect(readdirSync(folder)).toEqual(["database"])
  })
)

it.live("an interrupted first start leaves no incomplete database", () =>
  Effect.gen(function* () {
    const unfinished = join(folder, "database.unfinished")
    writeFileSync(unfinished, "what was left")
    yield* onFolder(Connections.use(({ fast }) => fast`select count(*) from realms`))
    expect(existsSync(unfinished)).toBe(false)
  })
)

const lock = (text: string, age = 0) => {
  const path = join(folder, "lock")
  writeFileSync(path, text)
  const then = new Date(Date.now() - age)
  utimesSync(path, then, then)
  return path
}

/** The content of this process's own lock. */
const ownLock = Effect.suspend(() => hold(folder)).pipe(
  Effect.map((): Record<string, unknown> => JSON.parse(readFileSync(join(folder, "lock"), "utf8"))),
  Effect.scoped
)

it.live("a dead process's lock is taken over", () =>
  Effect.gen(function* () {
    yield* held
    const child = spawn(process.execPath, ["-e", ""])
    yield* ended(child)
    lock(JSON.stringify({ ...(yield* ownLock), pid: child.pid }))
    yield* held
    expect(existsSync(join(folder, "lock"))).toBe(false)
  })
)

it.live.runIf(existsSync("/proc/self/stat"))("the lock of an earlier process with the same PID is taken over", () =>
  Effect.gen(function* () {
    lock(JSON.stringify({ ...(yield* ownLock), start: "1" }))
    yield* held
  })
)

it.live("an abandoned lock is taken over by exactly one of many concurrent processes", () =>
  Effect.gen(function* () {
    lock(JSON.stringify({ pid: 1, start: "1", place: "elsewhere", token: "t" }), 120_000)
    const exits = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(hold(folder)), {
      concurrency: 20
    })
    expect(exits.filter((exit) => exit._tag === "Success")).toHaveLength(1)
  })
)

it.live("a lock holder in another container is recognized by its heartbeat", () =>
  Effect.gen(function* () {
    const path = lock(JSON.stringify({ pid: 7, start: "1", place: "elsewhere", token: "t" }))
    const pulse = setInterval(() => utimesSync(path, new Date(), new Date()), 300)
    const error = yield* Effect.ensuring(
      Effect.flip(held),
      Effect.sync(() => clearInterval(pulse))
    )
    expect(error.message).toContain("pid 7 on another machine or in another container")
  })
)
