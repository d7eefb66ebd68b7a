import { connect, createServer } from "node:net"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import type { TestOptions } from "#testing/TestSallyport"
import { getWith } from "../support/getWith.ts"
import { ownService } from "../support/sallyport.ts"

const localHeaders = { host: "localhost:3000" }
const direct = { publicUrl: "http://localhost:3000", trustedProxies: [] }

/** A plain TCP forwarder in front of a service, like `socat` or a layer 4 load balancer. */
const forwarderTo = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((socket) => {
        const upstream = connect(Number(new URL(url).port), "127.0.0.1")
        for (const end of [socket, upstream]) end.on("error", () => end.destroy())
        socket.pipe(upstream).pipe(socket)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address === null || typeof address === "string" ? 0 : address.port
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const paths = ["/mailbox", "/v2/test/messages", "/metrics"]

/** The statuses of the local-only endpoints, without a key and with a key of the highest level. */
const statusesOf = (options: TestOptions, headers: Readonly<Record<string, string>>) =>
  Effect.promise(() =>
    ownService(
      ({ url, key }) =>
        Effect.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const forwarder = yield* forwarderTo(url)
              const status = (path: string, more = {}) =>
                Effect.promise(async () => (await getWith(forwarder.url + path, { ...headers, ...more })).status)
              const anonymous = yield* Effect.forEach(paths, (path) => status(path))
              const withKey = yield* Effect.forEach(paths, (path) => status(path, { authorization: `Bearer ${key}` }))
              const homePage = yield* Effect.promise(() => getWith(`${forwarder.url}/`, headers))
              const ready = yield* Effect.promise(() => getWith(`${forwarder.url}/readyz`, headers))
              const hints = [
                homePage.text.includes("/metrics"),
                homePage.text.includes("/mailbox"),
                ready.member("actors") !== undefined
              ]
              return { anonymous, withKey, hints }
            })
          )
        ),
      { ...options, mail: "mailbox" }
    )
  )

it.live("SEC-248: requests through a TCP forwarder need a key if a public URL or trusted proxies are set", () =>
  Effect.gen(function* () {
    const rejected = { anonymous: [401, 401, 401], withKey: [200, 200, 200], hints: [false, false, false] }
    for (const options of [{ publicUrl: "https://id.example.test" }, { ...direct, trustedProxies: ["127.0.0.1"] }]) {
      expect([options, yield* statusesOf(options, localHeaders)]).toEqual([options, rejected])
    }
    for (const name of ["CF-Connecting-IP", "X-Envoy-External-Address", "True-Client-IP", "X-Forwarded-Proto"]) {
      expect([name, yield* statusesOf(direct, { ...localHeaders, [name]: "127.0.0.1" })]).toEqual([name, rejected])
    }
    const allowed = { anonymous: [200, 200, 200], withKey: [200, 200, 200], hints: [true, true, true] }
    expect(yield* statusesOf(direct, localHeaders)).toEqual(allowed)
  })
)
