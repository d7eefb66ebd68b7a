import { Context, type Effect } from "effect"
import type { RealmId } from "#domain/Ids"
import type { MailUnrenderable, RenderingBusy } from "#domain/MailTemplate"
import type { MailTemplate, MailValues, RenderedMail } from "./MailTemplate.ts"

/**
 * Renders emails from tenants' templates off the main thread, within a time limit. Each realm gets a limited share of the
 * time, so that it can't slow other realms down (SEC-83). Emails of a realm wait in a queue, and are rejected if too many are
 * waiting.
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
    /** Renders a template with long and hostile values, to check that it renders fast enough. */
    validate(realmId: RealmId, mail: MailTemplate): Effect.Effect<void, MailUnrenderable | RenderingBusy>
  }
>()("sallyport/core/MailRenderer") {}
