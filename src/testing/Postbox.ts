import { DateTime, Effect } from "effect"
import type { Mail } from "#domain/Mail"
import { Mailer, MailRefused } from "#platform/Mailer"

/** A mail that has been sent, and the time the service had then. */
export interface PostedMail extends Mail {
  readonly at: DateTime.Utc
}

/** How a test lets mails be refused. */
export interface Refusal {
  readonly message: string
  readonly final: boolean
}

/** Takes the mails of the service in place of a mail server: all, unless a test says otherwise of a recipient. */
export class Postbox {
  #mails: ReadonlyArray<PostedMail> = []
  readonly #refusals = new Map<string, Refusal>()

  /** All that lies here, oldest first. */
  get mails(): ReadonlyArray<PostedMail> {
    return this.#mails
  }

  /** What lies here for a recipient. */
  to(recipient: string): ReadonlyArray<PostedMail> {
    return this.#mails.filter((mail) => mail.to === recipient)
  }

  /** Takes the mails for a recipient out. */
  take(recipient: string): ReadonlyArray<PostedMail> {
    const taken = this.to(recipient)
    this.#mails = this.#mails.filter((mail) => mail.to !== recipient)
    return taken
  }

  /** Refuses the mails for a recipient from now on; with undefined, takes them again. */
  refuse(recipient: string, refusal: Refusal | undefined): void {
    if (refusal === undefined) this.#refusals.delete(recipient)
    else this.#refusals.set(recipient, refusal)
  }

  /** The service's own way out leads here. */
  readonly mailer = Mailer.of({
    send: (mail) =>
      Effect.flatMap(DateTime.now, (at) => {
        const refusal = this.#refusals.get(mail.to)
        if (refusal !== undefined) return Effect.fail(new MailRefused(refusal))
        this.#mails = [...this.#mails, { ...mail, at }]
        return Effect.succeed("250 Captured.")
      })
  })
}
