import { expect, it } from "@effect/vitest"
import { Cause, Effect, Logger, References } from "effect"
import { jsonLine, textLine } from "#server/LogLines"

/** The log output of an effect, in JSON and in the format for terminals. */
const linesOf = Effect.fnUntraced(function* (logs: Effect.Effect<void>) {
  const written: Array<{ readonly json: string; readonly text: string }> = []
  const logger = Logger.make((entry) => written.push({ json: jsonLine(entry), text: textLine(entry) }))
  yield* logs.pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, "Debug"))
  return written
})

const refused = Effect.logWarning("A request was rejected with 503.").pipe(
  Effect.annotateLogs({ route: "/v2/users", status: 503, cause: "transactions: too many at once" })
)

it.effect("writes a line of JSON with the time, level, message and fields", () =>
  Effect.gen(function* () {
    const [line, ...others] = yield* linesOf(refused)
    expect(others).toEqual([])
    expect(JSON.parse(line?.json ?? "")).toEqual({
      timestamp: "1970-01-01T00:00:00.000Z",
      level: "WARN",
      message: "A request was rejected with 503.",
      pid: process.pid,
      route: "/v2/users",
      status: 503,
      cause: "transactions: too many at once"
    })
  })
)

it.effect("writes one line of text in a terminal, and quotes values that contain spaces", () =>
  Effect.gen(function* () {
    const [line] = yield* linesOf(refused)
    expect(line?.text).toBe(
      '00:00:00 WARN  A request was rejected with 503. route=/v2/users status=503 cause="transactions: too many at once"'
    )
  })
)

it.effect("writes a stack trace on the same line in JSON, and below the line in text", () =>
  Effect.gen(function* () {
    const failed = Effect.logError("A request failed with 500.", Cause.die(new Error("No such column"))).pipe(
      Effect.annotateLogs({ status: 500 })
    )
    const [line] = yield* linesOf(failed)
    const { message, cause } = JSON.parse(line?.json ?? "")
    expect([message, cause]).toEqual([
      "A request failed with 500.",
      expect.stringMatching(/^Error: No such column\n +at /)
    ])
    expect(line?.json).not.toContain("\n")
    expect(line?.text).toMatch(
      /^00:00:00 ERROR A request failed with 500\. status=500\n {2}Error: No such column\n {6}at /
    )
  })
)

it.effect("serializes values that are not strings as JSON, so that an entry stays on one line", () =>
  Effect.gen(function* () {
    const [line] = yield* linesOf(
      Effect.logInfo("Two lines", { of: ["a\nb"] }).pipe(Effect.annotateLogs({ row: "a\nb" }))
    )
    expect(JSON.parse(line?.json ?? "").message).toBe('Two lines {"of":["a\\nb"]}')
    expect(line?.text).toBe('00:00:00 INFO  Two lines {"of":["a\\nb"]} row="a\\nb"')
  })
)
