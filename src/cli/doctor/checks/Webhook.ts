import { Effect } from "effect"
import { localReceiver, type OutboundFailure, postTestMessage, type Received } from "#server/inspection/WebhookProbe"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import type { Check, Subject } from "../Subject.ts"

const failures: Readonly<Record<OutboundFailure, readonly [says: string, todo: string]>> = {
  forbidden: [
    "is not allowed as a destination: only https URLs on public addresses are",
    "Use such a URL. SALLYPORT_ALLOW_PRIVATE_TARGETS=true lifts the rule for every realm."
  ],
  unreachable: [
    "can't be reached from here",
    "Check the URL, its certificate, and that this machine may call out: the service uses no proxy (HTTPS_PROXY) for webhooks."
  ],
  timed_out: ["did not answer in time", "Check that the receiver answers within seconds and does slow work later."],
  broken_off: ["broke off its answer", "Look at the log of the receiver, and of the proxy in front of it."]
}

export const remoteFinding = (url: string, result: { readonly status: number } | OutboundFailure): Finding => {
  if (typeof result === "string") {
    const [says, todo] = failures[result]
    return problem(`${url} ${says}.`, todo)
  }
  const { status } = result
  return status >= 200 && status < 300
    ? ok(`${url} took a signed message: HTTP ${status}.`)
    : warning(
        `${url} answered a signed message with HTTP ${status}, so hooks would try again.`,
        "A receiver answers 2xx. This message is signed with a secret of its own, which yours may well refuse."
      )
}

const isSame = (sent: { readonly body: string; readonly headers: Readonly<Record<string, string>> }, got: Received) =>
  got.body === sent.body && Object.entries(sent.headers).every(([name, value]) => got.headers[name] === value)

/** Posts to a receiver on this machine, unless forbidden, as it should be in production. */
const localFinding = ({ settings }: Subject) =>
  Effect.gen(function* () {
    const receiver = yield* localReceiver
    const sent = yield* postTestMessage(settings, receiver.url)
    const got = receiver.received()
    return got !== undefined && isSame(sent, got)
      ? ok("A signed message came to a receiver on this machine as it was sent.")
      : problem("A signed message came to a receiver on this machine altered.", "Look for a proxy in between.")
  }).pipe(
    Effect.scoped,
    Effect.catchTag("OutboundFailed", ({ reason }) =>
      Effect.succeed(
        reason === "forbidden"
          ? ok("Private addresses are refused, as they should be. --webhook-url tries a receiver outside.")
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
