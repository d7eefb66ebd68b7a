import { Context, Layer } from "effect"
import { webUrlProblem } from "#domain/WebUrl"
import { isPublicHost } from "./PublicAddress.ts"

/** Why the service will not call an address. */
export type TargetProblem = "url_form" | "url_parts" | "target_scheme" | "target_private"

/**
 * What is wrong with a URL that the service is to call, as far as the URL tells: where its name leads is known when it is
 * called (decision 37).
 */
export const targetProblem = (url: string, allowPrivateTargets: boolean): TargetProblem | undefined => {
  const problem = webUrlProblem(url)
  if (problem !== undefined || allowPrivateTargets) return problem
  const { protocol, hostname } = new URL(url)
  if (protocol !== "https:") return "target_scheme"
  return isPublicHost(hostname) ? undefined : "target_private"
}

/** Which addresses callers may name for the service to call. */
export class OutboundPolicy extends Context.Service<
  OutboundPolicy,
  {
    /** What is wrong with a URL when it is written. */
    problem(url: string): TargetProblem | undefined
  }
>()("sallyport/platform/OutboundPolicy") {
  static readonly layer = (options: { readonly allowPrivateTargets: boolean }) =>
    Layer.succeed(OutboundPolicy, { problem: (url) => targetProblem(url, options.allowPrivateTargets) })
}
