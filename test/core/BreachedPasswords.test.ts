import { createHash } from "node:crypto"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { BreachedPasswords } from "#core/passwords/BreachedPasswords"
import { Outbound, OutboundFailed, type OutboundResponse, ResponseTooLarge } from "#platform/Outbound"

const LEAKED = "nine breached walruses"

const digest = createHash("sha1").update(LEAKED).digest("hex").toUpperCase()

const text = (body: string, status = 200): OutboundResponse => ({ status, contentType: "text/plain", body })

const range = text(`${"A".repeat(35)}:3\r\n${digest.slice(5)}:17\r\n${"B".repeat(35)}:0\r\n`)

type Answer = Effect.Effect<OutboundResponse, OutboundFailed | ResponseTooLarge>

/** A range server, the requests that it received, and the log lines. */
const setUp = (first: Answer) => {
  const directory = { answer: first }
  const asked: Array<string> = []
  const lines: Array<unknown> = []
  const log = Logger.make(({ message, fiber }) => {
    lines.push([[message].flat()[0], fiber.getRef(References.CurrentLogAnnotations)])
  })
  const outbound = Layer.succeed(Outbound, {
    post: () => Effect.die(new Error("Unexpected POST.")),
    request: ({ url, timeLimit }) => {
      asked.push(url)
      expect(timeLimit).toBe(2_000)
      return directory.answer
    }
  })
  const layer = BreachedPasswords.layer({ breachedPasswordsUrl: "https://ranges.example.test/range" }).pipe(
    Layer.provide(outbound),
    Layer.provideMerge(Logger.layer([log]))
  )
  return { directory, asked, lines, layer }
}

const isKnown = (password: string) => Effect.flatMap(BreachedPasswords, ({ includes }) => includes(password))

it.effect("the breach check requests a range by five hex digits, at most once in ten minutes", () => {
  const { directory, asked, layer } = setUp(Effect.succeed(range))
  return Effect.gen(function* () {
    expect([yield* isKnown(LEAKED), yield* isKnown(LEAKED)]).toEqual([true, true])
    expect(asked).toEqual([`https://ranges.example.test/range/${digest.slice(0, 5)}`])
    yield* TestClock.adjust("10 minutes")
    directory.answer = Effect.succeed(text(`${digest.slice(5).toLowerCase()}:1`))
    expect(yield* isKnown(LEAKED)).toBe(true)
    expect(asked).toHaveLength(2)
    yield* TestClock.adjust("10 minutes")
    directory.answer = Effect.succeed(text(`${digest.slice(5)}:0\n`))
    expect(yield* isKnown(LEAKED)).toBe(false)
  }).pipe(Effect.provide(layer))
})

it.effect("the breach check accepts every password if no range service is configured", () =>
  Effect.gen(function* () {
    expect(yield* isKnown(LEAKED)).toBe(false)
  }).pipe(
    Effect.provide(BreachedPasswords.layer({})),
    Effect.provide(Layer.succeed(Outbound, { post: () => Effect.die("unasked"), request: () => Effect.die("unasked") }))
  )
)

const failures: ReadonlyArray<readonly [reason: string, answer: Answer]> = [
  ["timed_out", Effect.fail(new OutboundFailed({ reason: "timed_out" }))],
  ["unreachable", Effect.fail(new OutboundFailed({ reason: "unreachable" }))],
  ["too_large", Effect.fail(new ResponseTooLarge())],
  ["status_500", Effect.succeed(text(range.body, 500))],
  ["status_302", Effect.succeed(text("", 302))],
  ["unreadable", Effect.succeed(text("<!doctype html><title>Log in to the network</title>"))],
  ["unreadable", Effect.succeed(text(`${digest.slice(5)}:17\r\n${"C".repeat(20)}`))],
  ["unreadable", Effect.succeed(text(`${digest.slice(5)}:99999999999999999999`))]
]

it.effect.each(failures)(
  "SEC-140: the breach check accepts passwords after a response that is %s, and logs the outage's start and end",
  ([reason, answer]) => {
    const { directory, asked, lines, layer } = setUp(answer)
    return Effect.gen(function* () {
      expect([yield* isKnown(LEAKED), yield* isKnown("another one")]).toEqual([false, false])
      yield* TestClock.adjust("30 seconds")
      expect(yield* isKnown(LEAKED)).toBe(false)
      // During an outage, requests are limited to two a minute, so that users don't wait each time.
      expect(asked).toHaveLength(2)
      const lost = ["Breached passwords can't be looked up. New passwords are not checked for breaches.", { reason }]
      expect(lines).toEqual([lost])
      yield* TestClock.adjust("30 seconds")
      directory.answer = Effect.succeed(range)
      expect(yield* isKnown(LEAKED)).toBe(true)
      expect(lines).toEqual([lost, ["Breached passwords can be looked up again.", { seconds: 60 }]])
    }).pipe(Effect.provide(layer))
  }
)
