import { createServer } from "node:http"
import { DateTime, Effect } from "effect"
import { signerFor, webhookSecret } from "#core/hooks/WebhookSignature"
import { Entropy } from "#platform/Entropy"
import { Outbound } from "#platform/Outbound"
import type { Settings } from "../Config.ts"
import { layer as outboundHttp } from "../OutboundHttp.ts"

export type { OutboundFailure } from "#platform/Outbound"

/** The time limit for a destination's response, in milliseconds. Nobody waits longer for a check. */
const LIMIT = 8_000

/** A request that the local receiver got. */
export interface ReceivedRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Starts a receiver on this machine until the scope closes. `received`: its last request. */
export const localReceiver = Effect.acquireRelease(
  Effect.callback<{
    readonly url: string
    readonly received: () => ReceivedRequest | undefined
    readonly stop: () => void
  }>((resume) => {
    let received: ReceivedRequest | undefined
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, value?.toString()] as const)
        received = { body: Buffer.concat(chunks).toString(), headers: Object.fromEntries(headers) }
        response.writeHead(204).end()
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(
        Effect.succeed({
          url: `http://127.0.0.1:${port}/`,
          received: () => received,
          stop: () => {
            server.close()
            server.closeAllConnections()
          }
        })
      )
    })
  }),
  ({ stop }) => Effect.sync(stop)
)

/** Posts a signed message like the service does, with the same restrictions on destinations. Returns the message as sent. */
export const postTestMessage = Effect.fnUntraced(
  function* (_: Pick<Settings, "allowPrivateTargets">, url: string) {
    const now = yield* DateTime.now
    const body = JSON.stringify({ object: "event", event_type: "hook.ping", event_at: now.epochMilliseconds / 1000 })
    const sign = signerFor({ current: webhookSecret(yield* Entropy), previous: null })
    const headers = sign?.(`doctor_${now.epochMilliseconds}`, body, now) ?? {}
    const { status } = yield* (yield* Outbound).post({ url, headers, body })
    return { status, body, headers }
  },
  (effect, { allowPrivateTargets }) => Effect.provide(effect, outboundHttp({ allowPrivateTargets }, { limit: LIMIT })),
  Effect.provide(Entropy.layer)
)
