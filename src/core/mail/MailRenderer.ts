import { Context, type Effect } from "effect"
import type { RealmId } from "#domain/Ids"
import type { MailUnrenderable, RenderingBusy } from "#domain/MailTemplate"
import type { MailTemplate, MailValues, RenderedMail } from "./MailTemplate.ts"

/**
 * Renders mails from tenants' templates, off the main thread, within a time limit, and with a limited share of time per
 * realm, so that other realms are not slowed down (SEC-83). The mails of a realm queue up; too many are refused.
 */
export class MailRenderer extends Context.Service<
  MailRenderer,
  {
    /** Renders a template with values. */
    render(
      realmId: RealmId,
      mail: MailTemplate,
      values: MailValues
    ): Effect.Effect<RenderedMail, MailUnrenderable | RenderingBusy>
    /** Renders a template with long and hostile values, to check that it renders in time. */
    validate(realmId: RealmId, mail: MailTemplate): Effect.Effect<void, MailUnrenderable | RenderingBusy>
  }
>()("sallyport/core/MailRenderer") {}
