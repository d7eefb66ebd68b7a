import { expect, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { logOutages } from "#server/CollectorOutage"

it.effect("an unreachable collector is logged once, and once more when the collector accepts telemetry again", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const logged = Logger.layer([
      Logger.make(({ logLevel, message, fiber }) =>
        lines.push([logLevel, message, fiber.getRef(References.CurrentLogAnnotations)].flat())
      )
    ])
    const answers: Array<number | undefined> = [200, undefined, 503, undefined, 202, 200, 404]
    const collector = HttpClient.make((request) => {
      const status = answers.shift()
      if (status !== undefined) return Effect.succeed(HttpClientResponse.fromWeb(request, new Response("", { status })))
      const reason = new HttpClientError.TransportError({ request, description: "connect ECONNREFUSED" })
      return Effect.fail(new HttpClientError.HttpClientError({ reason }))
    })
    const client = logOutages(collector)
    const send = Effect.exit(client.post("http://collector.example/v1/traces"))
    yield* Effect.forEach(answers.slice(), () => send).pipe(Effect.provide(logged))
    expect(lines).toEqual([
      [
        "Error",
        "Telemetry doesn't reach the collector and is lost.",
        { cause: expect.stringContaining("connect ECONNREFUSED") }
      ],
      ["Info", "Telemetry reaches the collector again.", {}],
      ["Error", "Telemetry doesn't reach the collector and is lost.", { cause: "It responds with status 404." }]
    ])
  })
)
