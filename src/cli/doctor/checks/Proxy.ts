import { Effect } from "effect"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type NoResponse, noResponseReason, type Readiness, type ServiceResponse } from "../ServiceResponse.ts"
import { type Check, isThisMachine, type Subject } from "../Subject.ts"

type Seen = NonNullable<Readiness["request"]>

const guide = "docs/guides/proxy.md shows nginx and Caddy."

/** The findings about a request to the public URL as the service received it. */
export const seenFindings = (publicUrl: string, seen: Seen): ReadonlyArray<Finding> => {
  const { protocol, host } = new URL(publicUrl)
  const { peer, peer_is_trusted, forwarded_for, forwarded_proto } = seen
  const hosts =
    seen.host === host
      ? []
      : [
          problem(
            `The proxy changes Host: from ${host} to ${seen.host ?? "none"}. Apps' pages are selected by it.`,
            `Pass Host through unchanged, such as proxy_set_header Host $http_host; ${guide}`
          )
        ]
  if (forwarded_for === null) {
    // The service itself doesn't terminate TLS.
    const hasProxy = protocol === "https:" || peer_is_trusted
    return hasProxy
      ? [
          ...hosts,
          problem(
            `The proxy at ${peer ?? "an unknown address"} sends no X-Forwarded-For: all users behind it count as one address and share its rate limits.`,
            `Configure it to append the caller's address. ${guide}`
          )
        ]
      : [...hosts, ok("Requests reach the service directly; no proxy adds headers.")]
  }
  if (!peer_is_trusted) {
    return [
      ...hosts,
      problem(
        `The proxy at ${peer ?? "an unknown address"} sends X-Forwarded-For but is not trusted: all users behind it count as one address and share its rate limits.`,
        `Set SALLYPORT_TRUSTED_PROXIES=${peer ?? "its address"} (or its network), and restart the service.`
      )
    ]
  }
  const proto =
    forwarded_proto !== null && `${forwarded_proto}:` !== protocol
      ? [
          warning(
            `The proxy says X-Forwarded-Proto: ${forwarded_proto}, but the public URL is ${publicUrl}.`,
            "Sallyport uses SALLYPORT_PUBLIC_URL. Check that the proxy redirects http to https."
          )
        ]
      : []
  return [
    ...hosts,
    ...proto,
    ...(hosts.length + proto.length > 0
      ? []
      : [ok(`The proxy at ${peer ?? "an unknown address"} is trusted and reports the caller: ${seen.ip ?? "nobody"}.`)])
  ]
}

export const proxyFindings = (
  { publicUrl, hasKey, isOwn }: { readonly publicUrl: string; readonly hasKey: boolean; readonly isOwn: boolean },
  answer: ServiceResponse | NoResponse
): Finding | ReadonlyArray<Finding> => {
  if (answer._tag === "Unanswered") {
    return problem(
      `The public URL, ${publicUrl}, can't be reached: ${noResponseReason(answer)}.`,
      "Check DNS, the proxy and its certificate. Some networks don't let internal machines call their own public address."
    )
  }
  const { readiness, status } = answer
  if (readiness === undefined) {
    return problem(
      `The server at the public URL, ${publicUrl}, is not Sallyport (HTTP ${status}).`,
      `Configure the proxy to forward every path to the service. ${guide}`
    )
  }
  if (readiness.request !== undefined) return seenFindings(publicUrl, readiness.request)
  if (hasKey && isOwn) {
    return problem(
      `The service accepts the key, but its public URL, ${publicUrl}, doesn't: another service responds there, or the proxy drops the Authorization header.`,
      "Check the proxy's target."
    )
  }
  return skipped(
    `Sallyport responds at ${publicUrl}. Checking the proxy's headers requires a key of level admin_all_realms (SALLYPORT_KEY).`
  )
}

/** Checks whether the public URL leads to this service, and which headers the proxy adds. */
export const proxy: Check = {
  name: "proxy",
  place: "settings",
  run: ({ settings: { publicUrl, hasPublicUrl }, service }: Subject) => {
    if (!hasPublicUrl) return Effect.succeed([])
    return Effect.gen(function* () {
      const own = yield* service.answer
      const isRunning = own._tag === "Answered" && own.readiness !== undefined
      const answer = yield* service.publicAnswer
      // If no service runs on this machine, none is expected at its URL.
      if (!isRunning && answer._tag === "Unanswered" && isThisMachine(new URL(publicUrl).hostname)) {
        return skipped(`The public URL, ${publicUrl}, can't be reached: ${noResponseReason(answer)}.`)
      }
      const isOwn = isRunning && own.readiness?.version !== undefined
      return proxyFindings({ publicUrl, hasKey: service.hasKey, isOwn }, answer)
    })
  }
}
