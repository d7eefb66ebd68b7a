import type { WaitingDevice } from "#core/oauth/DeviceAuthorizations"
import { browserNameOf } from "#domain/BrowserName"
import { parseUserCode, shownUserCode } from "#domain/oauth/DeviceCode"
import type { User } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import { icons, type View } from "../../markup/Document.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine, logoutLink } from "../../markup/Links.ts"
import { requestedAccess } from "../../markup/RequestedAccess.ts"
import { timeText } from "../../markup/TimeText.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** Formats a user code. Returns any other text unchanged. */
const shownCode = (typed: string): string => {
  const code = parseUserCode(typed)
  return code === undefined ? typed : shownUserCode(code)
}

const withoutCode = ({ user_code: _, ...rest }: FlowParams = {}): FlowParams => rest

/** Asks for a user code. `typed` is the code in the link, or the code that the user typed. */
export const codeView = (context: AppPageContext, typed: string, errors: FieldErrors = []): View => {
  const { texts, flow } = context
  const { device: copy } = texts
  const isPrefilled = typed !== "" && errors.length === 0
  const field = {
    name: "user_code",
    label: copy.code,
    type: "text",
    autocomplete: "off",
    hint: copy.codeHint,
    value: shownCode(typed),
    verbatim: true
  } as const
  const hidden = { ...withoutCode(flow), way: "enter" }
  const form = { page: "device", hidden, fields: [field], button: copy.button, focus: true }
  return {
    status: errors.length === 0 ? 200 : 422,
    title: copy.title,
    hasErrors: errors.length > 0,
    content: html`<p>${isPrefilled ? copy.prefilledLead : copy.lead}</p>
${formMarkup(texts, form, errors)}
<div class="part">
${linkLine(pageUrl("login", { ...flow, way: "login", next: "device" }), texts.authorize.other)}
${logoutLink(context, flow ?? {})}
</div>`
  }
}

/** The error for an unknown code. */
export const wrongCode = ({ device }: Texts): FieldErrors => [{ field: "user_code", text: device.wrong }]

const programOf = ({ device: copy, security }: Texts, client: string | null): string => {
  const { browser, system } = browserNameOf(client)
  if (browser === undefined) return system ?? copy.unknown
  return system === undefined ? browser : security.browserOn(browser, system)
}

/** The origin of the device's request, which users can compare with their own actions. */
const origin = (texts: Texts, { device }: WaitingDevice): Html => {
  const { device: copy, language } = texts
  const row = (label: string, value: Html) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  return html`<h2>${copy.originTitle}</h2>
<dl class="rows">${row(copy.program, userText(programOf(texts, device.requestClient)))}
${row(copy.address, html`${device.requestIp ?? copy.unknown}`)}
${row(copy.time, timeText(language, device.createdAt))}</dl>`
}

/** Formats a code so that it doesn't break across lines. */
const unbreakable = (code: string): string => code.replace("-", "\u2011")

/** Asks whether a device may log in. The details help users tell their own request from someone else's (SEC-171). */
export const deviceConsentView = (context: AppPageContext, waiting: WaitingDevice, user: User): View => {
  const { texts, flow = {} } = context
  const { device: copy, authorize } = texts
  const { device, client } = waiting
  const code = shownUserCode(device.userCode)
  const account = userText(user.email ?? user.username ?? user.name)
  const form = (way: string, button: string, quiet: boolean) =>
    formMarkup(texts, { page: "device", hidden: { ...flow, user_code: code, way }, fields: [], button, quiet }, [])
  return {
    status: 200,
    title: copy.consentTitle,
    content: html`<p>${copy.consentLead(userText(client.appearance.name ?? client.name), account)}</p>
${
  device.scopes.length + device.resources.length > 0 &&
  html`<p>${authorize.scopesLead}</p>
${requestedAccess(texts, device)}`
}
<p>${copy.sameCode(html`<strong>${unbreakable(code)}</strong>`)}</p>
${origin(texts, waiting)}
<div class="note"><h2>${copy.warningTitle}</h2>
<p>${copy.warning}</p></div>
${form("allow", copy.allow, false)}
${form("deny", copy.deny, true)}`
  }
}

/** Confirms the user's decision. */
export const decidedView = ({ texts, flow }: AppPageContext, state: "approved" | "denied"): View => {
  const { device: copy } = texts
  const isApproved = state === "approved"
  return {
    status: 200,
    title: isApproved ? copy.allowedTitle : copy.deniedTitle,
    icon: isApproved ? icons.success : icons.problem,
    content: html`<p>${isApproved ? copy.allowedLead : copy.deniedLead}</p>
${linkLine(pageUrl("device", withoutCode(flow)), copy.other)}`
  }
}
