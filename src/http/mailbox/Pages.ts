import { Effect } from "effect"
import { MailboxApi } from "#api/mailbox/Api"
import { Mailbox } from "#core/mail/Mailbox"
import { isStorable } from "#domain/Text"
import { LoginDomains } from "#platform/LoginDomains"
import { CurrentRequestContext } from "#platform/RequestContext"
import { catalogueOf } from "../MessageCatalogue.ts"
import { handlerGroup } from "../RequestServices.ts"
import { startOf } from "../WireMapping.ts"
import { listPage } from "./ListPage.ts"
import { lookOf, mailFrame, mailPage, noMailPage } from "./MailPage.ts"
import { textsOf } from "./Texts.ts"

/** The number of emails per page. */
const PAGE_SIZE = 50

/** `/mailbox` */
export const PagesHandlers = ({ publicUrl }: { readonly publicUrl: string }) =>
  handlerGroup(
    MailboxApi,
    "mailbox",
    Effect.fn(function* (handlers) {
      const mailbox = yield* Mailbox
      const domains = yield* LoginDomains
      const reader = Effect.map(CurrentRequestContext, (context) => ({
        texts: textsOf(catalogueOf(context).language),
        publicUrl
      }))

      return handlers.handleAll({
        list: ({ query }) =>
          Effect.gen(function* () {
            const typed = (query.to ?? "").trim().toLowerCase()
            const listQuery = { to: isStorable(typed) ? typed : "", after: startOf(query) }
            const filter = {
              realmId: undefined,
              to: undefined,
              toPart: listQuery.to === "" ? undefined : listQuery.to,
              createdAfter: undefined,
              newerThan: undefined
            }
            const mails = yield* mailbox.list(filter, { after: listQuery.after, maxResults: PAGE_SIZE })
            return listPage(yield* reader, listQuery, mails)
          }),
        mail: ({ params, query }) =>
          Effect.gen(function* () {
            return mailPage(yield* reader, yield* mailbox.find(params.message_id), query.view, lookOf(query))
          }).pipe(Effect.catch(() => Effect.map(reader, noMailPage))),
        html: ({ params, query }) =>
          Effect.gen(function* () {
            const { html } = yield* mailbox.find(params.message_id)
            return html === null ? noMailPage(yield* reader) : mailFrame(html, lookOf(query).theme, domains.origin("*"))
          }).pipe(Effect.catch(() => Effect.map(reader, noMailPage)))
      })
    })
  )
