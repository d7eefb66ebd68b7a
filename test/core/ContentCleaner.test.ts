import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { build } from "esbuild"
import type { Cleaned } from "#core/appearance/Cleaned"
import { clean } from "#core/appearance/Cleaning"
import { CleaningThread } from "#core/appearance/CleaningThread"
import { ContentCleaner } from "#core/appearance/ContentCleaner"
import { ACCOUNT, RealmId } from "#domain/Ids"
import { layer as mailThread } from "#server/MailThread"

const OTHER = RealmId.make("rl_00000000000000000000000001")

/** A thread that records the content it receives. */
const recordingThread = (cleaned: Array<string>) =>
  ContentCleaner.layer.pipe(
    Layer.provide(
      Layer.succeed(CleaningThread, {
        clean: (realmId, content, text) =>
          Effect.sync((): Cleaned => {
            cleaned.push(`${realmId} ${content} ${text}`)
            return clean(content, text)
          })
      })
    )
  )

it.effect("SEC-249: skips content that was already cleaned or produced by a cleaning", () => {
  const seen: Array<string> = []
  return Effect.gen(function* () {
    const cleaner = yield* ContentCleaner
    const sent = "<p onclick=x>Acme"
    const first = yield* cleaner.clean(ACCOUNT, "markup", sent)
    expect(first).toEqual({ _tag: "Cleaned", text: "<p>Acme</p>" })
    expect(yield* cleaner.clean(ACCOUNT, "markup", sent)).toEqual(first)
    expect(yield* cleaner.clean(ACCOUNT, "markup", "<p>Acme</p>")).toEqual(first)
    expect(seen).toEqual([`${ACCOUNT} markup ${sent}`])
    yield* cleaner.clean(OTHER, "markup", sent)
    yield* cleaner.clean(ACCOUNT, "drawing", sent)
    yield* cleaner.clean(ACCOUNT, "drawing", sent)
    expect(seen).toEqual([`${ACCOUNT} markup ${sent}`, `${OTHER} markup ${sent}`, `${ACCOUNT} drawing ${sent}`])
  }).pipe(Effect.provide(recordingThread(seen)))
})

it.effect("SEC-249: caches a bounded number of results", () => {
  const seen: Array<string> = []
  return Effect.gen(function* () {
    const cleaner = yield* ContentCleaner
    yield* Effect.forEach(Array.from({ length: 100 }), (_, n) => cleaner.clean(ACCOUNT, "markup", `Acme ${n}`))
    yield* cleaner.clean(ACCOUNT, "markup", "Acme 0")
    expect(seen.length).toBe(101)
  }).pipe(Effect.provide(recordingThread(seen)))
})

it.effect("SEC-249: cleans on the email rendering thread, and aborts when cleaning takes too long", () =>
  Effect.gen(function* () {
    const thread = yield* CleaningThread
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><rect onclick=""/></svg>'
    expect(yield* thread.clean(ACCOUNT, "markup", "<p onclick=x>Acme")).toEqual({
      _tag: "Cleaned",
      text: "<p>Acme</p>"
    })
    expect(yield* thread.clean(ACCOUNT, "drawing", drawing)).toEqual({ _tag: "Refused", why: "logo_unsafe" })
    expect(yield* thread.clean(OTHER, "markup", "<p>".repeat(1_000_000))).toEqual({ _tag: "TooComplex" })
  }).pipe(Effect.provide(mailThread()))
)

it("SEC-249: excludes the cleaning code from the bundle of the main thread", async () => {
  const { metafile } = await build({
    entryPoints: { main: "src/cli/main.ts", MailWorker: "src/server/MailWorker.ts" },
    outdir: "unwritten",
    bundle: true,
    splitting: true,
    write: false,
    platform: "node",
    format: "esm",
    packages: "external",
    loader: { ".br": "empty" },
    metafile: true
  })
  const inputsFrom = (entry: string): ReadonlySet<string> => {
    const [files, found] = [[entry], new Set<string>()]
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      if (found.has(file)) continue
      found.add(file)
      for (const { path, external } of metafile.inputs[file]?.imports ?? []) if (external !== true) files.push(path)
    }
    return found
  }
  const cleaning = ["src/core/appearance/Markup.ts", "src/core/appearance/SvgLogo.ts"]
  const inWorker = inputsFrom("src/server/MailWorker.ts")
  const inMain = inputsFrom("src/cli/main.ts")
  expect(cleaning.map((file) => [inWorker.has(file), inMain.has(file)])).toEqual(cleaning.map(() => [true, false]))
  expect(inMain.has("src/core/appearance/ContentCleaner.ts")).toBe(true)
})
