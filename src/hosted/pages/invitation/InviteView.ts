import { brandNameOf } from "#domain/ConnectedApp"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import { icons, type View } from "../../markup/Document.ts"
import { type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** An org to which the user can invite people. */
interface InvitingOrg {
  readonly id: string
  readonly name: string
}

/** The invitation form. `orgs` is undefined if users invite people to the app instead of an org. */
export interface InviteForm {
  readonly orgs: ReadonlyArray<InvitingOrg> | undefined
  readonly values: { readonly email: string; readonly org_id: string }
}

const leadOf = ({ texts, realm, app }: AppPageContext, { orgs = [] }: InviteForm): Html => {
  const [only, ...others] = orgs
  if (only === undefined) return texts.invite.lead(userText(brandNameOf({ realm, app })))
  return others.length > 0 ? html`${texts.invite.chosenOrgLead}` : texts.invite.orgLead(userText(only.name))
}

/** Asks for the person to invite. */
export const inviteView = (context: AppPageContext, invite: InviteForm, errors: FieldErrors = []): View => {
  const { texts, flow } = context
  const { orgs, values } = invite
  const { invite: copy } = texts
  const [only] = orgs ?? []
  const isOne = orgs?.length === 1
  const choices = (orgs ?? []).map((org) => ({ value: org.id, label: org.name }))
  const fields: ReadonlyArray<Field> = [
    ...(choices.length < 2
      ? []
      : [
          { name: "org_id", label: copy.org, type: "text", autocomplete: "off", value: values.org_id, choices } as const
        ]),
    { name: "email", label: texts.form.email, type: "email", autocomplete: "off", value: values.email }
  ]
  const hidden = { ...flow, way: "invite", ...(isOne && only !== undefined ? { org_id: only.id } : {}) }
  const back = html`<div class="part">${linkLine(pageUrl("profile", flow), copy.profile)}</div>`
  const content =
    orgs?.length === 0
      ? html`<p>${copy.none}</p>
${back}`
      : html`<p>${leadOf(context, invite)}</p>
${formMarkup(texts, { page: "invitation", hidden, fields, button: copy.button, focus: true }, errors)}
${back}`
  return { status: 200, title: copy.title, hasErrors: errors.length > 0, content }
}

/** Confirms that the invitation was sent. */
export const invitationSentView = ({ texts, flow }: AppPageContext, { email }: { readonly email: string }): View => ({
  status: 200,
  title: texts.invite.done,
  icon: icons.success,
  hasMail: true,
  content: html`<p>${texts.invite.doneLead(userText(email))}</p>
<div class="part">
${linkLine(pageUrl("invitation", flow), texts.invite.another)}
${linkLine(pageUrl("profile", flow), texts.invite.profile)}
</div>`
})
