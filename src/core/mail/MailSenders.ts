import { Context, Layer } from "effect"
import { type Problem, problem } from "#domain/Rejected"

/** The domains that hooks may use in sender addresses, or `any`. */
export type SenderDomains = ReadonlyArray<string> | "any"

/** Restricts sender addresses to the domains that the deployment allows, so that a realm can't impersonate another (SEC-88). */
export class MailSenders extends Context.Service<
  MailSenders,
  {
    allows(address: string): boolean
    /** Validates the sender address of a hook. */
    problems(field: string, address: string | null): ReadonlyArray<Problem>
  }
>()("sallyport/core/MailSenders") {
  static readonly layer = ({ mailFromDomains }: { readonly mailFromDomains: SenderDomains }) => {
    const allows = (address: string) =>
      mailFromDomains === "any" || mailFromDomains.includes(address.slice(address.lastIndexOf("@") + 1))
    return Layer.succeed(MailSenders, {
      allows,
      problems: (field, address) =>
        mailFromDomains === "any" || address === null || allows(address)
          ? []
          : [problem(field, "sender_domain", { domains: mailFromDomains.join(", ") })]
    })
  }
}
