import { Context, type Effect } from "effect"
import type { RealmId } from "#domain/Ids"
import type { MailUnrenderable, RenderingBusy } from "#domain/MailTemplate"
import type { MailTemplate, MailValues, RenderedMail } from "./MailTemplate.ts"

/**
 * Makes mails of what tenants write, so that nobody else notices how long that takes (SEC-83): beside the event loop, within
 * a limit, and with a small share of the time for each realm. A realm's mails wait for their turn; too many do not.
 */
export class MailRenderer extends Context.Service<
  MailRenderer,
  {
    /** The mail that a template makes of these values. */
    render(
      realmId: RealmId,
      mail: MailTemplate,
      values: MailValues
    ): Effect.Effect<RenderedMail, MailUnrenderable | RenderingBusy>
    /** Renders a template with long and hostile values, to see whether any mail could be made of it soon enough. */
    tryOut(realmId: RealmId, mail: MailTemplate): Effect.Effect<void, MailUnrenderable | RenderingBusy>
  }
>()("sallyport/core/MailRenderer") {}
