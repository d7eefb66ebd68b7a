import { Effect, Layer } from "effect"
import type { Agent, Dispatcher } from "undici"
import { Outbound, type OutboundAnswer, OutboundFailed, type OutboundPost } from "#core/Outbound"
import { targetProblem } from "#core/Targets"
import { anySockets, NotConnected, opener, publicSockets, type Sockets } from "./OutboundSockets.ts"

/** Where posts may go. */
export interface OutboundOptions {
  readonly allowPrivateTargets: boolean
}

/** How long one attempt may take, in real milliseconds: nobody turns this clock. */
const LIMIT = 15_000

/** How much of an answer is read, in bytes. */
const EXCERPT = 1_024

/** How many connections one origin gets: all realms that name it share them. */
const CONNECTIONS = 32

/** Bytes as text that any database and any reader takes, and no longer than they are. */
const textOf = (bytes: Uint8Array): string => {
  // With more to come, a character that is cut in the middle is left out.
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD")
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(EXCERPT)).read)
}

const isTimeout = (error: Error): boolean => "code" in error && String(error.code).endsWith("TIMEOUT")

const failure = (error: Error): OutboundFailed => {
  if (error instanceof NotConnected) return new OutboundFailed({ reason: error.reason })
  return new OutboundFailed({ reason: isTimeout(error) ? "timed_out" : "broken_off" })
}

/** One request, until its answer has ended, has said enough, or takes too long. */
const ask = (agent: Agent, { url, headers, body }: OutboundPost, limit: number) =>
  Effect.callback<OutboundAnswer, OutboundFailed>((resume) => {
    const { origin, pathname, search } = new URL(url)
    const excerpt = new Uint8Array(EXCERPT)
    let read = 0
    let head: Pick<OutboundAnswer, "status" | "retryAfter"> = { status: 0, retryAfter: undefined }
    let request: Dispatcher.DispatchController | undefined
    let over = false

    const leave = () => {
      over = true
      clearTimeout(timer)
      request?.abort(new Error("Enough."))
    }
    const end = (result: Effect.Effect<OutboundAnswer, OutboundFailed>) => {
      if (over) return
      leave()
      resume(result)
    }
    const answered = () => end(Effect.succeed({ ...head, excerpt: textOf(excerpt.subarray(0, read)) }))
    const timer = setTimeout(() => end(Effect.fail(new OutboundFailed({ reason: "timed_out" }))), limit)

    agent.dispatch(
      { origin, path: pathname + search, method: "POST", headers, body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: (controller) => {
          request = controller
          if (over) leave()
        },
        onResponseStart: (_, status, { "retry-after": retryAfter }) => {
          head = { status, retryAfter: typeof retryAfter === "object" ? retryAfter[0] : retryAfter }
        },
        onResponseData: (_, chunk) => {
          excerpt.set(chunk.subarray(0, EXCERPT - read), read)
          read = Math.min(EXCERPT, read + chunk.length)
          if (read === EXCERPT) answered()
        },
        onResponseEnd: answered,
        onResponseError: (_, error) => end(Effect.fail(failure(error)))
      }
    )
    return Effect.sync(leave)
  })

/** Posts through undici, which no proxy of the environment diverts. `sockets` and `limit` are for who puts it to the test. */
export const layer = (
  { allowPrivateTargets }: OutboundOptions,
  { limit = LIMIT, ...sockets }: Partial<Sockets> = {}
): Layer.Layer<Outbound> =>
  Layer.effect(
    Outbound,
    Effect.gen(function* () {
      const closing = new AbortController()
      const base = allowPrivateTargets ? anySockets : publicSockets
      let opened: Promise<Agent> | undefined
      const open = async () => {
        // Bundled, a package in the older module format has its default export only.
        const { Agent } = (await import("undici")).default
        const connect = opener({ ...base, limit, ...sockets }, closing.signal)
        return new Agent({ connect, connections: CONNECTIONS, allowH2: false, keepAliveMaxTimeout: 60_000 })
      }
      yield* Effect.addFinalizer(() =>
        Effect.promise(async () => {
          closing.abort()
          await (await opened)?.destroy()
        })
      )
      return Outbound.of({
        post: (post) =>
          targetProblem(post.url, allowPrivateTargets) === undefined
            ? Effect.flatMap(
                Effect.promise(() => (opened ??= open())),
                (agent) => ask(agent, post, limit)
              )
            : Effect.fail(new OutboundFailed({ reason: "forbidden" }))
      })
    })
  )
