import { Context, type Effect } from "effect"
import type { RealmId } from "#domain/Ids"
import type { MailUnrenderable, RenderingBusy } from "#domain/MailTemplate"
import type { MailTemplate, MailValues, RenderedMail } from "./MailTemplate.ts"

/**
 * Renders emails from tenants' templates off the main thread, within a time limit. Each realm gets a limited share of
 * time, so that other realms are not slowed down (SEC-83). A realm's emails queue up, and are rejected if too many
 * wait.
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
