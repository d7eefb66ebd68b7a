import { Duration, Effect } from "effect"
import { MailboxApi } from "#api/mailbox/Api"
import { type MessageBody } from "#api/mailbox/V2"
import { Mailbox } from "#core/mail/Mailbox"
import { extractCodes, extractLinks } from "#core/mail/MailParts"
import { Health } from "#core/nodes/Health"
import { canonicalEmail } from "#domain/Email"
import type { MailFilter, StoredMail } from "#domain/Mail"
import { CurrentRequestContext } from "#platform/RequestContext"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkedBody, startOf, timeT, utcFromTimeT } from "../WireMapping.ts"

const messageBody = (mail: StoredMail): typeof MessageBody.Type => ({
  id: mail.id,
  object: "message",
  realm_id: mail.realmId,
  message_id: mail.messageId,
  from: mail.from.address,
  from_name: mail.from.name,
  to: mail.to,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  source: mail.source,
  created_at: timeT(mail.createdAt),
  links: extractLinks(mail),
  codes: extractCodes(mail)
})

interface MessageQuery {
  readonly to?: string
  readonly realm_id?: string
  readonly created_at_after?: number
  readonly newer_than?: string
}

const filterOf = ({ to, realm_id, created_at_after, newer_than }: MessageQuery): MailFilter => ({
  to: to === undefined ? undefined : (canonicalEmail(to) ?? to),
  toPart: undefined,
  realmId: realm_id,
  createdAfter: created_at_after === undefined ? undefined : utcFromTimeT(created_at_after),
  newerThan: newer_than || undefined
})

/** `/v2/test/messages` */
export const MessagesHandlers = handlerGroup(
  MailboxApi,
  "v2.test_messages",
  Effect.fn(function* (handlers) {
    const mailbox = yield* Mailbox
    const health = yield* Health

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = { after: startOf(query), maxResults: query.max_results ?? 100 }
          const context = yield* CurrentRequestContext
          context.waits = query.wait !== undefined
          // A node that is shutting down does not wait.
          const mails = yield* Effect.raceFirst(
            mailbox.waitFor(filterOf(query), page, Duration.seconds(query.wait ?? 0)),
            Effect.andThen(health.stopping, mailbox.list(filterOf(query), page))
          )
          return yield* linkedBody(messageBody)(mails)
        }),
      get: ({ params }) =>
        Effect.map(mailbox.find(params.message_id), messageBody).pipe(
          Effect.catchTags({ MailNotFound: wireErrors.MailNotFound })
        ),
      clear: ({ query }) => mailbox.clear(filterOf(query))
    })
  })
)
