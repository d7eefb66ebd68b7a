import { DateTime, Effect } from "effect"
import { extractCodes, extractLinks } from "#core/mail/MailParts"
import { canonicalEmail } from "#domain/Email"
import type { Mail } from "#domain/Mail"
import { Mailer, MailRefused } from "#platform/Mailer"

/** A mail that the service has sent, with the service's time at that moment. */
export interface PostedMail extends Mail {
  readonly at: DateTime.Utc
  /** The web links in it, those of its text first, each once. */
  readonly links: ReadonlyArray<string>
  /** The six-digit codes in it and in its subject, each once. */
  readonly codes: ReadonlyArray<string>
}

/** How a mail is refused. `final`: sending it again is of no use. */
export interface Refusal {
  readonly message: string
  readonly final: boolean
}

/** Captures the mails of the service in place of a mail server: all, except those for recipients that a test refuses. */
export class Postbox {
  #mails: ReadonlyArray<PostedMail> = []
  readonly #refusals = new Map<string, Refusal>()

  /** All captured mails, oldest first. */
  get mails(): ReadonlyArray<PostedMail> {
    return this.#mails
  }

  /** The captured mails for a recipient, oldest first. Case is ignored. */
  to(recipient: string): ReadonlyArray<PostedMail> {
    const address = canonicalEmail(recipient) ?? recipient
    return this.#mails.filter((mail) => mail.to === address)
  }

  /** Removes the mails for a recipient and returns them. */
  take(recipient: string): ReadonlyArray<PostedMail> {
    const taken = this.to(recipient)
    this.#mails = this.#mails.filter((mail) => !taken.includes(mail))
    return taken
  }

  /** Forgets the captured mails. */
  clear(): void {
    this.#mails = []
  }

  /** Refuses mails for a recipient from now on; with undefined, accepts them again. */
  refuse(recipient: string, refusal: Refusal | undefined): void {
    if (refusal === undefined) this.#refusals.delete(recipient)
    else this.#refusals.set(recipient, refusal)
  }

  /** The mailer of the service under test. */
  readonly mailer = Mailer.of({
    send: (mail) =>
      Effect.flatMap(DateTime.now, (at) => {
        const refusal = this.#refusals.get(mail.to)
        if (refusal !== undefined) return Effect.fail(new MailRefused({ ...refusal, away: false }))
        const posted = { ...mail, at, links: extractLinks(mail), codes: extractCodes(mail) }
        this.#mails = [...this.#mails, posted]
        return Effect.succeed("250 Captured.")
      })
  })
}
