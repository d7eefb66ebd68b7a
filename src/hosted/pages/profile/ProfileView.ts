import type { PasswordDemands } from "#domain/PasswordPolicy"
import { haveUsernames, type User } from "#domain/User"
import { type Html, html } from "#platform/Html"
import type { Page } from "../../markup/Document.ts"
import { address, type Field, type FieldError, form, newPassword, passwordNow, wayTo } from "../../markup/Fields.ts"
import { name } from "../../markup/UserText.ts"
import type { AppVisit } from "../../PageContext.ts"
import { devicesSection } from "./DevicesView.ts"

/** What somebody sees of the own account. */
export interface ProfileView {
  readonly user: User
  /** What was typed of the details, where they come back. */
  readonly values?: {
    readonly first_name: string
    readonly last_name: string
    readonly email: string
    readonly username: string
  }
  /** What has just been done. */
  readonly saved: "details" | "password" | "device" | "removed" | "email" | undefined
  readonly hasPassword: boolean
  readonly demands: PasswordDemands
  /** Whether the realm has a second step. */
  readonly secondStep: boolean
  readonly devices: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** The device whose removal comes back. */
  readonly removing?: string
  readonly deviceName?: string
  readonly orgs: boolean
  readonly invites: boolean
}

/** What is wrong, by section. */
export interface ProfileErrors {
  readonly details?: ReadonlyArray<FieldError>
  readonly password?: ReadonlyArray<FieldError>
  readonly device?: ReadonlyArray<FieldError>
}

const details = ({ texts, realm, carried }: AppVisit, view: ProfileView, errors: ReadonlyArray<FieldError>): Html => {
  const { form: said, profile, signup } = texts
  const { user } = view
  const values = view.values ?? {
    first_name: user.firstName ?? "",
    last_name: user.lastName ?? "",
    email: user.email ?? "",
    username: user.username ?? ""
  }
  const usernames = haveUsernames(realm, "human")
  const text = { type: "text", optional: true } as const
  const fields: ReadonlyArray<Field> = [
    { ...text, name: "first_name", label: said.firstName, autocomplete: "given-name", value: values.first_name },
    { ...text, name: "last_name", label: said.lastName, autocomplete: "family-name", value: values.last_name },
    { name: "email", label: said.email, type: "email", autocomplete: "email", value: values.email },
    ...(usernames
      ? [
          {
            name: "username",
            label: signup.username,
            type: "text",
            autocomplete: "username",
            value: values.username
          } as const
        ]
      : []),
    ...(view.hasPassword
      ? [{ ...passwordNow(texts, "details-password"), optional: true, hint: profile.emailNeedsPassword } as const]
      : [])
  ]
  const asked = {
    page: "profile",
    hidden: { ...carried, way: "details" },
    fields,
    button: profile.detailsButton,
    id: "details-"
  }
  const resend = {
    page: "profile",
    hidden: { ...carried, way: "resend" },
    fields: [],
    button: profile.resend,
    quiet: true
  }
  return html`<section aria-labelledby="details">
<h2 id="details">${profile.details}</h2>
${user.emailPending !== null && html`<div class="note"><p>${profile.pending(name(user.emailPending))}</p>${form(texts, resend, [])}</div>`}
${form(texts, asked, errors)}
</section>`
}

const password = ({ texts, carried }: AppVisit, view: ProfileView, errors: ReadonlyArray<FieldError>): Html => {
  const { form: said, profile } = texts
  const { leastLength, requiredChars } = view.demands
  const fields: ReadonlyArray<Field> = [
    passwordNow(texts),
    ...newPassword(texts, said.demands(leastLength, requiredChars), said.newPassword)
  ]
  const username = view.user.email ?? view.user.username ?? ""
  const asked = { page: "profile", hidden: { ...carried, way: "password" }, fields, button: profile.passwordButton }
  return html`<section class="part" aria-labelledby="passwords">
<h2 id="passwords">${profile.password}</h2>
${view.hasPassword ? form(texts, { ...asked, id: "password-", username }, errors) : html`<p>${profile.noPassword}</p>`}
</section>`
}

/** Shows somebody the own account, and lets them change it. */
export const profilePage = (visit: AppVisit, view: ProfileView, errors: ProfileErrors = {}): Page => {
  const { texts, realm, carried } = visit
  const { profile: said } = texts
  const { details: ofDetails = [], password: ofPassword = [], device: ofDevice = [] } = errors
  return {
    status: 200,
    title: said.title,
    refused: ofDetails.length + ofPassword.length + ofDevice.length > 0,
    content: html`<p>${said.lead(name(view.user.name), name(realm.name))}</p>
${view.saved !== undefined && html`<p class="saved" role="status">${said.saved[view.saved]}</p>`}
${details(visit, view, ofDetails)}
${password(visit, view, ofPassword)}
${view.secondStep && devicesSection(visit, view, ofDevice)}
<nav class="part" aria-label="${said.more}">
${view.orgs && wayTo(address("accounts", carried), said.accounts)}
${view.invites && wayTo(address("invitation", carried), said.invite)}
${wayTo(address("logout", carried), said.logout)}
</nav>`
  }
}
