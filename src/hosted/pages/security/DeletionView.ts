import type { DateTime } from "effect"
import type { DeletionOffer } from "#core/account/AccountDeletions"
import { type Html, html } from "#platform/Html"
import { currentPasswordField } from "../../markup/CommonFields.ts"
import type { View } from "../../markup/Document.ts"
import { icons } from "../../markup/Document.ts"
import { collapsible, type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { withBackToApp } from "../../markup/Links.ts"
import { dateText } from "../../markup/TimeText.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

interface DeletionState {
  /** When the account will be deleted, or null if the user hasn't asked for it. */
  readonly scheduledAt: DateTime.Utc | null
  /** Undefined if the user can't delete the account. */
  readonly offer: DeletionOffer | undefined
  readonly asksPassword: boolean
  /** The login name, for password managers. */
  readonly username: string
}

/** The date of a time in words, in UTC. */
const dateOf = (language: string, at: DateTime.Utc): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(at.epochMilliseconds)

const scheduledPart = ({ texts, flow }: AppPageContext, at: DateTime.Utc): Html => {
  const copy = texts.deletion
  const form = { page: "security", hidden: { ...flow, way: "keep_account" }, fields: [], button: copy.keep }
  return html`<div class="note"><p>${copy.scheduled(dateText(texts.language, at))}</p>
${formMarkup(texts, form, [])}</div>`
}

const blockedPart = ({ texts }: AppPageContext, orgs: ReadonlyArray<string>): Html => {
  const { deletion: copy, language } = texts
  const names = userText(new Intl.ListFormat(language).format(orgs))
  return html`<p>${orgs.length === 1 ? copy.ownerOf(names) : copy.ownerOfSeveral(names)}</p>`
}

const offerPart = (
  { texts, flow }: AppPageContext,
  { at, isImmediate }: DeletionOffer,
  { asksPassword, username }: DeletionState,
  errors: FieldErrors
): Html => {
  const { deletion: copy, language } = texts
  const fields: ReadonlyArray<Field> = [
    ...(asksPassword ? [currentPasswordField(texts, "deletion-password")] : []),
    {
      name: "confirm",
      label: isImmediate ? copy.confirmAtOnce : copy.confirm(dateOf(language, at)),
      type: "checkbox",
      autocomplete: "off"
    }
  ]
  const form = {
    page: "security",
    hidden: { ...flow, way: "delete_account" },
    fields,
    button: copy.button,
    id: "deletion-",
    ...(asksPassword ? { username } : {})
  }
  const lead = isImmediate ? html`${copy.leadAtOnce}` : copy.lead(dateText(language, at))
  return collapsible(copy.open, html`<p>${lead}</p>${formMarkup(texts, form, errors)}`, errors.length > 0)
}

/** The section about deleting the account, or undefined if the user can't delete it. */
export const deletionSection = (
  context: AppPageContext,
  state: DeletionState,
  errors: FieldErrors = []
): Html | undefined => {
  const { scheduledAt, offer } = state
  const content =
    scheduledAt !== null
      ? scheduledPart(context, scheduledAt)
      : offer === undefined
        ? undefined
        : offer.orgs.length > 0
          ? blockedPart(context, offer.orgs)
          : offerPart(context, offer, state, errors)
  return (
    content &&
    html`<section class="part" aria-labelledby="deletion">
<h2 id="deletion">${context.texts.deletion.heading}</h2>
${content}
</section>`
  )
}

/** Confirms that the account was deleted at once. */
export const deletedView = (context: AppPageContext): View =>
  withBackToApp(context, {
    status: 200,
    title: context.texts.deletion.deleted,
    icon: icons.success,
    content: html`<p>${context.texts.deletion.deletedLead}</p>`
  })
