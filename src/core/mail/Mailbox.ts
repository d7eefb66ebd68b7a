import { Context, DateTime, Deferred, type Duration, Effect, Layer, Schema } from "effect"
import { type Mail, type MailFilter, MailNotFound, type StoredMail } from "#domain/Mail"
import { type Page, pageOf } from "#domain/Page"
import { IdGenerator } from "#platform/IdGenerator"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { type EncryptedMail, MailboxRepo } from "#store/operations/MailboxRepo"

/** The maximum number of stored emails, in all realms together. When it is exceeded, the oldest are deleted. */
const MAX_MAILS = 1_000

/** How often a waiting reader checks for emails stored by other processes. */
const POLL_INTERVAL = "1 second"

/** The parts of an email that are encrypted, because they may contain a token. */
const Content = Schema.fromJsonString(
  Schema.Struct({
    subject: Schema.String,
    html: Schema.NullOr(Schema.String),
    text: Schema.NullOr(Schema.String),
    source: Schema.String
  })
)

/** Shown instead of the content of an email that can't be decrypted. */
const unreadable = { subject: "", html: null, text: null, source: "" }

const encodeContent = Schema.encodeSync(Content)
const decodeContent = Schema.decodeSync(Content)

const locationOf = ({ id, realmId }: Pick<StoredMail, "id" | "realmId">): SecretLocation => ({
  table: "mails",
  column: "content",
  row: id,
  realm: realmId
})

/** The position of a page of emails, newest first. `after` is the ID of an email. The page starts with the next older email. */
export interface MailPage {
  readonly after: string | undefined
  readonly maxResults: number
}

/** Stores the emails of all realms instead of sending them, in deployments without a mail server (C38). */
export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** Stores an email. Storing the same email again has no effect. `source` is the raw message with headers. */
    store(mail: Mail, source: string): Effect.Effect<void>
    find(id: string): Effect.Effect<StoredMail, MailNotFound>
    list(filter: MailFilter, page: MailPage): Effect.Effect<Page<StoredMail>>
    /** Lists emails. If there are none, waits for the first one. `atMost` is the maximum wait in real time. */
    waitFor(filter: MailFilter, page: MailPage, atMost: Duration.Input): Effect.Effect<Page<StoredMail>>
    clear(filter: MailFilter): Effect.Effect<void>
  }
>()("sallyport/core/Mailbox") {
  static readonly layer = Layer.effect(
    Mailbox,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* MailboxRepo
      const secrets = yield* Secrets
      /** Completes when an email arrives. A new one then takes its place. */
      let nextArrival = Deferred.makeUnsafe<void>()

      const decryptMail = ({ content, ...rest }: EncryptedMail) =>
        Effect.map(
          secrets.decrypt(locationOf(rest), content),
          (text): StoredMail => ({ ...rest, ...(text === null ? unreadable : decodeContent(text)) })
        )

      const store = Effect.fn("Mailbox.store")(function* (mail: Mail, source: string) {
        const { realmId, messageId, from, to, subject, html, text } = mail
        const id = yield* ids.make("mail")
        const createdAt = yield* DateTime.now
        const content = yield* secrets.encrypt(
          locationOf({ id, realmId }),
          encodeContent({ subject, html, text, source })
        )
        yield* repo.insert({ id, realmId, messageId, from, to, content, createdAt })
        yield* repo.keepNewest(MAX_MAILS)
        const arrived = nextArrival
        nextArrival = Deferred.makeUnsafe()
        yield* Deferred.succeed(arrived, undefined)
      })

      const find = Effect.fn("Mailbox.find")(function* (id: string) {
        const encrypted = yield* repo.find(id)
        return encrypted === undefined ? yield* new MailNotFound({ id }) : yield* decryptMail(encrypted)
      })

      const list = Effect.fn("Mailbox.list")(function* (filter: MailFilter, { after, maxResults }: MailPage) {
        const { items, more } = pageOf(yield* repo.list(filter, after, maxResults), maxResults)
        return { items: yield* Effect.forEach(items, decryptMail), more }
      })

      const waitFor = Effect.fn("Mailbox.waitFor")(function* (
        filter: MailFilter,
        page: MailPage,
        atMost: Duration.Input
      ) {
        const readPage = Effect.suspend(() => {
          // Read this before listing, so that an email that arrives meanwhile is not missed.
          const arrival = nextArrival
          return Effect.map(list(filter, page), (found) => ({ found, arrival }))
        })
        const waitForArrival = (arrival: Deferred.Deferred<void>): Effect.Effect<Page<StoredMail>> =>
          Effect.raceFirst(Deferred.await(arrival), Effect.sleep(POLL_INTERVAL)).pipe(
            Effect.andThen(readPage),
            Effect.flatMap(({ found, arrival }) =>
              found.items.length > 0 ? Effect.succeed(found) : waitForArrival(arrival)
            )
          )
        const { found, arrival } = yield* readPage
        if (found.items.length > 0) return found
        return yield* Effect.timeoutOrElse(waitForArrival(arrival), {
          duration: atMost,
          orElse: () => Effect.succeed(found)
        })
      })

      return Mailbox.of({ store, find, list, waitFor, clear: repo.delete })
    })
  )
}
