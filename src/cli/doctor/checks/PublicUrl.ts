import { Effect } from "effect"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import { type Check, isProduction, isThisMachine, type Subject } from "../Subject.ts"

const todo = "Set SALLYPORT_PUBLIC_URL to the https URL where users reach the service, before you have users."

export const publicUrlFinding = (subject: Pick<Subject, "settings">): Finding => {
  const { publicUrl, hasPublicUrl } = subject.settings
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === "https:") return ok(`Tokens and emails contain ${publicUrl}.`)
  const isLocal = isThisMachine(hostname)
  if (!isLocal) {
    return problem(
      `SALLYPORT_PUBLIC_URL is ${publicUrl}, without TLS, so passwords and session cookies can be intercepted.`,
      "Put a proxy with a certificate in front and set the https URL. See docs/guides/proxy.md."
    )
  }
  if (!isProduction(subject)) return ok(`Tokens and emails contain ${publicUrl}, which is this machine.`)
  return hasPublicUrl
    ? warning(`Tokens and emails contain ${publicUrl}, which only works on this machine.`, todo)
    : warning(`SALLYPORT_PUBLIC_URL is not set, so tokens and emails contain ${publicUrl}.`, todo)
}

/** Checks whether users can reach the URL in tokens, cookies and emails. */
export const publicUrl: Check = {
  name: "public url",
  place: "settings",
  run: (subject) => Effect.succeed(publicUrlFinding(subject))
}
