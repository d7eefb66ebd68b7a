import { Context, DateTime, Deferred, type Duration, Effect, Layer, Schema } from "effect"
import { type KeptMail, type Mail, type MailFilter, MailNotFound } from "#domain/Mail"
import { type Page, pageOf } from "#domain/Page"
import { IdGenerator } from "#platform/IdGenerator"
import type { Place } from "#platform/SecretPlaces"
import { Secrets } from "#platform/Secrets"
import { MailboxRepo, type SealedMail } from "#store/MailboxRepo"

/** How many mails are kept, of all realms together: the newest. */
const KEPT = 1_000

/** How soon whoever waits sees a mail that another process has kept. */
const LOOK_AGAIN = "1 second"

/** What is sealed of a mail: all that may hold a token. */
const Content = Schema.fromJsonString(
  Schema.Struct({
    subject: Schema.String,
    html: Schema.NullOr(Schema.String),
    text: Schema.NullOr(Schema.String),
    source: Schema.String
  })
)

/** What is left of a mail whose content can't be opened: who sent it to whom, and when. */
const unreadable = { subject: "", html: null, text: null, source: "" }

const encoded = Schema.encodeSync(Content)
const decoded = Schema.decodeSync(Content)

const place = ({ id, realmId }: Pick<KeptMail, "id" | "realmId">): Place => ({
  table: "mails",
  column: "content",
  row: id,
  realm: realmId
})

/** Which part of a list of mails: the newest come first. `after`: those older than the one of this id. */
export interface MailPage {
  readonly after: string | undefined
  readonly maxResults: number
}

/** The mails that stay here, of all realms, where the service has no mail server (decision 38). */
export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** Keeps a mail: once, however often it is sent. `source`: the whole of it, headers included. */
    keep(mail: Mail, source: string): Effect.Effect<void>
    find(id: string): Effect.Effect<KeptMail, MailNotFound>
    list(filter: MailFilter, page: MailPage): Effect.Effect<Page<KeptMail>>
    /** The same, but where there is none it waits for the first, for so long of real time at most. */
    waitFor(filter: MailFilter, page: MailPage, atMost: Duration.Input): Effect.Effect<Page<KeptMail>>
    clear(filter: MailFilter): Effect.Effect<void>
  }
>()("sallyport/core/Mailbox") {
  static readonly layer = Layer.effect(
    Mailbox,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* MailboxRepo
      const secrets = yield* Secrets
      /** Rings when a mail has come, and is followed by a new one. */
      let bell = Deferred.makeUnsafe<void>()

      const opened = ({ content, ...rest }: SealedMail) =>
        Effect.map(
          secrets.open(place(rest), content),
          (text): KeptMail => ({ ...rest, ...(text === null ? unreadable : decoded(text)) })
        )

      const keep = Effect.fn("Mailbox.keep")(function* (mail: Mail, source: string) {
        const { realmId, messageId, from, to, subject, html, text } = mail
        const id = yield* ids.make("mail")
        const createdAt = yield* DateTime.now
        const content = yield* secrets.seal(place({ id, realmId }), encoded({ subject, html, text, source }))
        yield* repo.insert({ id, realmId, messageId, from, to, content, createdAt })
        yield* repo.keepNewest(KEPT)
        const rung = bell
        bell = Deferred.makeUnsafe()
        yield* Deferred.succeed(rung, undefined)
      })

      const find = Effect.fn("Mailbox.find")(function* (id: string) {
        const sealed = yield* repo.find(id)
        return sealed === undefined ? yield* new MailNotFound({ id }) : yield* opened(sealed)
      })

      const list = Effect.fn("Mailbox.list")(function* (filter: MailFilter, { after, maxResults }: MailPage) {
        const { items, more } = pageOf(yield* repo.list(filter, after, maxResults), maxResults)
        return { items: yield* Effect.forEach(items, opened), more }
      })

      const waitFor = Effect.fn("Mailbox.waitFor")(function* (
        filter: MailFilter,
        page: MailPage,
        atMost: Duration.Input
      ) {
        const look = Effect.suspend(() => {
          // Taken before the look: what comes during it is not missed.
          const next = bell
          return Effect.map(list(filter, page), (found) => ({ found, next }))
        })
        const later = (heard: Deferred.Deferred<void>): Effect.Effect<Page<KeptMail>> =>
          Effect.raceFirst(Deferred.await(heard), Effect.sleep(LOOK_AGAIN)).pipe(
            Effect.andThen(look),
            Effect.flatMap(({ found, next }) => (found.items.length > 0 ? Effect.succeed(found) : later(next)))
          )
        const { found, next } = yield* look
        if (found.items.length > 0) return found
        return yield* Effect.timeoutOrElse(later(next), { duration: atMost, orElse: () => Effect.succeed(found) })
      })

      return Mailbox.of({ keep, find, list, waitFor, clear: repo.delete })
    })
  )
}
