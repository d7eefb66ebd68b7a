import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MailboxApi } from "#api/mailbox/Api"
import { Mailbox } from "#core/mail/Mailbox"
import { isStorable } from "#domain/Text"
import { CurrentRequestContext, catalogueOf } from "../RequestContext.ts"
import { listPage } from "./ListPage.ts"
import { mailFrame, mailPage, noMailPage } from "./MailPage.ts"
import { wordsOf } from "./Words.ts"

/** How many mails one page lists. */
const ON_A_PAGE = 50

const words = Effect.map(CurrentRequestContext, (context) => wordsOf(catalogueOf(context).language))

/** `/mailbox` */
export const PagesHandlers = HttpApiBuilder.group(
  MailboxApi,
  "mailbox",
  Effect.fn(function* (handlers) {
    const mailbox = yield* Mailbox

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const typed = (query.to ?? "").trim().toLowerCase()
          const asked = { to: isStorable(typed) ? typed : "", after: query.after }
          const filter = {
            realmId: undefined,
            to: undefined,
            toPart: asked.to === "" ? undefined : asked.to,
            createdAfter: undefined
          }
          const mails = yield* mailbox.list(filter, { after: asked.after, maxResults: ON_A_PAGE })
          return listPage(yield* words, asked, mails)
        }),
      mail: ({ params, query }) =>
        Effect.gen(function* () {
          return mailPage(yield* words, yield* mailbox.find(params.message_id), query.view)
        }).pipe(Effect.catch(() => Effect.map(words, noMailPage))),
      html: ({ params }) =>
        Effect.gen(function* () {
          const { html } = yield* mailbox.find(params.message_id)
          return html === null ? noMailPage(yield* words) : mailFrame(html)
        }).pipe(Effect.catch(() => Effect.map(words, noMailPage)))
    })
  })
)
