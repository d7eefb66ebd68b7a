import { type Html, html } from "#platform/Html"
import { type Page, signs } from "../../markup/Document.ts"
import { address, type Field, type FieldError, form, wayTo } from "../../markup/Fields.ts"
import { name } from "../../markup/UserText.ts"
import type { AppVisit } from "../../PageContext.ts"

/** An org that somebody may invite to. */
interface InvitingOrg {
  readonly id: string
  readonly name: string
}

/** Whom to invite, and to which org. `orgs`: undefined where people are referred to the app itself. */
export interface InviteForm {
  readonly orgs: ReadonlyArray<InvitingOrg> | undefined
  readonly values: { readonly email: string; readonly org_id: string }
}

const leadOf = ({ texts, realm }: AppVisit, { orgs = [] }: InviteForm): Html => {
  const [only, ...others] = orgs
  return only === undefined || others.length > 0
    ? texts.invite.lead(name(realm.name))
    : texts.invite.orgLead(name(only.name))
}

/** Asks whom to invite. */
export const invitePage = (visit: AppVisit, asked: InviteForm, errors: ReadonlyArray<FieldError> = []): Page => {
  const { texts, carried } = visit
  const { orgs, values } = asked
  const { invite: said } = texts
  const [only] = orgs ?? []
  const isOne = orgs?.length === 1
  const choices = (orgs ?? []).map((org) => ({ value: org.id, label: org.name }))
  const fields: ReadonlyArray<Field> = [
    ...(choices.length < 2
      ? []
      : [
          { name: "org_id", label: said.org, type: "text", autocomplete: "off", value: values.org_id, choices } as const
        ]),
    { name: "email", label: texts.form.email, type: "email", autocomplete: "off", value: values.email }
  ]
  const hidden = { ...carried, way: "invite", ...(isOne && only !== undefined ? { org_id: only.id } : {}) }
  const back = html`<div class="part">${wayTo(address("profile", carried), said.profile)}</div>`
  const content =
    orgs?.length === 0
      ? html`<p>${said.none}</p>
${back}`
      : html`<p>${leadOf(visit, asked)}</p>
${form(texts, { page: "invitation", hidden, fields, button: said.button }, errors)}
${back}`
  return { status: 200, title: said.title, refused: errors.length > 0, content }
}

/** Tells that the invitation is on its way. */
export const invitedPage = ({ texts, carried }: AppVisit, { email }: { readonly email: string }): Page => ({
  status: 200,
  title: texts.invite.done,
  sign: signs.good,
  content: html`<p>${texts.invite.doneLead(name(email))}</p>
<div class="part">
${wayTo(address("invitation", carried), texts.invite.another)}
${wayTo(address("profile", carried), texts.invite.profile)}
</div>`
})
