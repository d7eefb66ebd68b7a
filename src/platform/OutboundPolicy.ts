import { Context, Layer } from "effect"
import { webUrlProblem } from "#domain/WebUrl"
import { isPublicHost } from "./PublicAddress.ts"

/** The reason the service must not send requests to a URL. */
export type TargetProblem = "url_form" | "url_parts" | "target_scheme" | "target_private"

/**
 * Validates a URL that the service will call. The addresses that its host resolves to are checked later, at the time of
 * each call (C37).
 */
export const targetProblem = (url: string, allowPrivateTargets: boolean): TargetProblem | undefined => {
  const problem = webUrlProblem(url)
  if (problem !== undefined || allowPrivateTargets) return problem
  const { protocol, hostname } = new URL(url)
  if (protocol !== "https:") return "target_scheme"
  return isPublicHost(hostname) ? undefined : "target_private"
}

/** Decides which URLs callers may configure for the service to call. */
export class OutboundPolicy extends Context.Service<
  OutboundPolicy,
  {
    /** Validates a URL when a caller configures it. */
    problem(url: string): TargetProblem | undefined
  }
>()("sallyport/platform/OutboundPolicy") {
  static readonly layer = (options: { readonly allowPrivateTargets: boolean }) =>
    Layer.succeed(OutboundPolicy, { problem: (url) => targetProblem(url, options.allowPrivateTargets) })
}
