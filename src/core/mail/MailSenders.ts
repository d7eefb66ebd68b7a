import { Context, Layer } from "effect"
import { type Problem, problem } from "#domain/Rejected"

/** The domains whose addresses hooks may send from; `any`: all. */
export type SenderDomains = ReadonlyArray<string> | "any"

/** Whose addresses mails may come from: those of domains that the deployment allows, so that no realm writes as another (SEC-88). */
export class MailSenders extends Context.Service<
  MailSenders,
  {
    allows(address: string): boolean
    /** What is wrong with an address that a hook is to send from. */
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
