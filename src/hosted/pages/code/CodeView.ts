import type { CodeLinkPreview } from "#core/login/EmailCodes"
import { brandNameOf } from "#domain/ConnectedApp"
import { html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import { codeField } from "../../markup/CommonFields.ts"
import { icons, type View } from "../../markup/Document.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext, RealmPageContext } from "../../PageContext.ts"
import { loginNameField } from "../login/LoginView.ts"

/** A requested code. `login` is the token to use it with. */
export interface RequestedCode {
  readonly flow: FlowParams
  readonly name: string
  readonly login: string
}

/** Asks for the account to email a code to. */
export const codeRequestView = (
  context: AppPageContext,
  { flow, name }: Pick<RequestedCode, "flow" | "name">,
  errors: FieldErrors = []
): View => {
  const { texts } = context
  const { title, lead, button } = texts.emailCode
  const fields = [loginNameField(context, name)]
  const form = { page: "code", hidden: { ...flow, way: "send" }, fields, button, focus: true }
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`<p>${lead}</p>
${formMarkup(texts, form, errors)}
${linkLine(pageUrl("login", flow, { way: "login" }), texts.login.back)}`
  }
}

/** Asks for the code. Doesn't reveal whether the account exists. */
export const codeEntryView = (
  { texts }: AppPageContext,
  { flow, name, login }: RequestedCode,
  errors: FieldErrors = []
): View => {
  const { sent, again } = texts.emailCode
  const { title, hint } = texts.secondStep.email_code
  const form = { page: "code", fields: [codeField(texts, hint)], button: texts.login.button, focus: true }
  const hidden = { ...flow, way: "enter", name, login }
  const resend = { page: "code", hidden: { ...flow, way: "send", name }, fields: [], button: again, quiet: true }
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    hasMail: true,
    content: html`<p>${sent(userText(name))}</p>
${formMarkup(texts, { ...form, hidden }, errors)}
<div class="part">${formMarkup(texts, resend, [])}</div>
${linkLine(pageUrl("login", flow, { way: "login" }), texts.login.back)}`
  }
}

/** Asks whether to log in with the link in an email. */
export const codeLinkView = (
  { texts, realm, app, flow, client }: AppPageContext,
  link: string,
  { email }: CodeLinkPreview
): View => {
  const { linkTitle: title, linkLead, otherwise } = texts.emailCode
  const form = { page: "code", hidden: { ...flow, way: "link", token: link }, fields: [], button: texts.login.button }
  return {
    status: 200,
    title,
    content: html`<p>${linkLead(userText(brandNameOf({ realm, app })), userText(email))}</p>
${formMarkup(texts, form, [])}
${
  client === undefined
    ? html`<p class="part">${texts.authorize.codeElsewhere}</p>
<p class="soft">${otherwise}</p>`
    : html`<p class="part soft">${otherwise}</p>`
}`
  }
}

/** Asks the user to type the code, because a login is waiting for it or because the realm has no app to log in to. */
export const typeCodeView = ({ texts }: RealmPageContext): View => ({
  status: 200,
  title: texts.emailCode.typeTitle,
  icon: icons.mail,
  content: html`<p>${texts.emailCode.typeLead}</p>`
})
