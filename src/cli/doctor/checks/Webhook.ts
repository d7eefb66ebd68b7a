import { Effect } from "effect"
import {
  localReceiver,
  type OutboundFailure,
  postTestMessage,
  type ReceivedRequest
} from "#server/inspection/WebhookProbe"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import type { Check, Subject } from "../Subject.ts"

const failures: Readonly<Record<OutboundFailure, readonly [says: string, todo: string]>> = {
  forbidden: [
    "is not an allowed destination; only https URLs on public addresses are",
    "Use such a URL, or allow all destinations in every realm with SALLYPORT_ALLOW_PRIVATE_TARGETS=true."
  ],
  unreachable: [
    "can't be reached from here",
    "Check the URL, its certificate, and that this machine has outgoing access. The service uses no proxy (HTTPS_PROXY) for webhooks."
  ],
  timed_out: ["did not respond in time", "Check that the receiver responds within seconds and does slow work later."],
  broken_off: ["cut off its response", "Check the logs of the receiver and the proxy in front of it."]
}

export const remoteFinding = (url: string, result: { readonly status: number } | OutboundFailure): Finding => {
  if (typeof result === "string") {
    const [says, todo] = failures[result]
    return problem(`${url} ${says}.`, todo)
  }
  const { status } = result
  return status >= 200 && status < 300
    ? ok(`${url} accepted a signed message: HTTP ${status}.`)
    : warning(
        `${url} responded to a signed message with HTTP ${status}, so hooks would retry.`,
        "Receivers must respond with 2xx. This message is signed with a random secret, so your receiver may reject it."
      )
}

const isSame = (
  sent: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  got: ReceivedRequest
) => got.body === sent.body && Object.entries(sent.headers).every(([name, value]) => got.headers[name] === value)

/** Posts to a receiver on this machine, unless private addresses are forbidden, as they should be in production. */
const localFinding = ({ settings }: Subject) =>
  Effect.gen(function* () {
    const receiver = yield* localReceiver
    const sent = yield* postTestMessage(settings, receiver.url)
    const got = receiver.received()
    return got !== undefined && isSame(sent, got)
      ? ok("A signed message reached a receiver on this machine unchanged.")
      : problem("A signed message reached a receiver on this machine altered.", "Look for a proxy in between.")
  }).pipe(
    Effect.scoped,
    Effect.catchTag("OutboundFailed", ({ reason }) =>
      Effect.succeed(
        reason === "forbidden"
          ? ok("Private addresses are rejected, as they should be. Use --webhook-url to test an external receiver.")
          : remoteFinding("A receiver on this machine", reason)
      )
    )
  )

/** Checks whether webhooks can be delivered under the rules for private addresses. */
export const webhook: Check = {
  name: "webhook",
  place: "settings",
  run: (subject) => {
    const { settings, webhookUrl: url } = subject
    if (url === undefined) return localFinding(subject)
    return Effect.match(postTestMessage(settings, url), {
      onSuccess: (result) => remoteFinding(url, result),
      onFailure: ({ reason }) => remoteFinding(url, reason)
    })
  }
}
