import { DateTime, Effect } from "effect"
import { extractCodes, extractLinks } from "#core/mail/MailParts"
import { canonicalEmail } from "#domain/Email"
import type { Mail } from "#domain/Mail"
import { Mailer, MailRefused } from "#platform/Mailer"

/** A sent email, with the service's time when it was sent. */
export interface PostedMail extends Mail {
  readonly at: DateTime.Utc
  /** The web links in the email, without duplicates. Links in the text come first. */
  readonly links: ReadonlyArray<string>
  /** The six-digit codes in the subject and the bodies, without duplicates. */
  readonly codes: ReadonlyArray<string>
}

/** How an email is rejected. `isFinal` means that retrying can't succeed. */
export interface Refusal {
  readonly message: string
  readonly isFinal: boolean
}

/** Captures the service's emails, in place of a mail server. Tests can make it reject emails to some recipients. */
export class Postbox {
  #mails: ReadonlyArray<PostedMail> = []
  readonly #refusals = new Map<string, Refusal>()

  /** All captured emails, oldest first. */
  get mails(): ReadonlyArray<PostedMail> {
    return this.#mails
  }

  /** Returns the captured emails to a recipient, oldest first. Case is ignored. */
  to(recipient: string): ReadonlyArray<PostedMail> {
    const address = canonicalEmail(recipient) ?? recipient
    return this.#mails.filter((mail) => mail.to === address)
  }

  /** Removes the emails to a recipient and returns them. */
  take(recipient: string): ReadonlyArray<PostedMail> {
    const taken = this.to(recipient)
    this.#mails = this.#mails.filter((mail) => !taken.includes(mail))
    return taken
  }

  /** Removes all captured emails. */
  clear(): void {
    this.#mails = []
  }

  /** Rejects emails to a recipient from now on. Without a refusal, accepts them again. */
  refuse(recipient: string, refusal: Refusal | undefined): void {
    if (refusal === undefined) this.#refusals.delete(recipient)
    else this.#refusals.set(recipient, refusal)
  }

  /** The mailer of the service under test. */
  readonly mailer = Mailer.of({
    send: (mail) =>
      Effect.flatMap(DateTime.now, (at) => {
        const refusal = this.#refusals.get(mail.to)
        if (refusal !== undefined) return Effect.fail(new MailRefused({ ...refusal, isUnavailable: false }))
        const posted = { ...mail, at, links: extractLinks(mail), codes: extractCodes(mail) }
        this.#mails = [...this.#mails, posted]
        return Effect.succeed("250 Captured.")
      })
  })
}
