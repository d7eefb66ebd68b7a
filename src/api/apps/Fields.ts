import { Schema } from "effect"
import { MAX_LOGO_LENGTH } from "#domain/Appearance"
import { brandFonts, brandLayouts, brandRadii } from "#domain/BrandFont"
import { appStates, MAX_MARKUP_LENGTH, MAX_REDIRECT_URIS, signupModes } from "#domain/ConnectedApp"
import { TEXT_LENGTH } from "#domain/Text"
import { URL_LENGTH } from "#domain/WebUrl"
import { describe, type Keywords } from "../Description.ts"
import { Choice, Flag, maybe, Permissions, Words } from "../Wire.ts"
import { oauthSettings } from "./OAuthFields.ts"
import { texts } from "./Texts.ts"

// The core checks the values, and whether they are required.
const text = (description: string, keywords: Keywords) => describe(maybe(Schema.String), description, keywords)

const url = (description: string) => text(`${description} Default: none.`, { format: "uri", maxLength: URL_LENGTH })

const flag = (description: string, otherwise = false) =>
  describe(maybe(Flag), `${description} Default: ${otherwise}.`, { default: otherwise })

// Not split at commas, because a URL can contain one.
const urls = (description: string) =>
  describe(
    maybe(Words(Schema.String, { most: 1_000, between: /\s+/u })),
    `${description} A list, or one text separated by spaces. Default: none.`,
    { maxItems: MAX_REDIRECT_URIS }
  )

const markup = (description: string) => text(`${description} Default: none.`, { maxLength: MAX_MARKUP_LENGTH })

const logo = (background: string) =>
  text(
    `The logo ${background}, shown instead of the name. It must be a PNG or SVG image of at most 64 KiB, as a data URL (\`data:image/png;base64,…\` or \`data:image/svg+xml;base64,…\`). Metadata is removed; an SVG with scripts or external references is rejected. Default: none.`,
    { maxLength: MAX_LOGO_LENGTH }
  )

const emailLogo = (background: string, otherwise: string) =>
  text(
    `The logo in emails${background}: a PNG image of at most 64 KiB, as a data URL. Many mail clients don't show SVG images. Default: ${otherwise}.`,
    { maxLength: MAX_LOGO_LENGTH }
  )

const brandColor = (description: string) =>
  text(`${description} Default: none.`, { pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" })

/** The appearance settings of an app's pages that a caller can set (C158). */
const AppearanceSettings = Schema.Struct({
  name: text(`${texts.appearance_name} Default: none.`, { maxLength: TEXT_LENGTH }),
  logo: logo("on a light background, and also on a dark one if there is no `dark_logo`"),
  dark_logo: logo("on a dark background"),
  color: brandColor(`${texts.color} \`#rgb\` is also accepted.`),
  dark_color: brandColor(texts.dark_color),
  background: brandColor(texts.background),
  dark_background: brandColor(texts.dark_background),
  font: describe(maybe(Choice(brandFonts)), `${texts.font} Default: \`system\`.`, { default: "system" }),
  radius: describe(maybe(Choice(brandRadii)), `${texts.radius} Default: \`medium\`.`, { default: "medium" }),
  layout: describe(maybe(Choice(brandLayouts)), `${texts.layout} Default: \`card\`.`, { default: "card" }),
  email_logo: emailLogo("", "`logo` if it is a PNG image, else none"),
  dark_email_logo: emailLogo(" on a dark background", "`dark_logo` if it is a PNG image, else none")
}).annotate({ problem: { code: "not_object" }, identifier: "AppearanceInput" })

/** The settings of a connected app that a caller can set (`v1.app`, C41). */
export const Settings = Schema.Struct({
  state: describe(Schema.optionalKey(Choice(appStates)), `${texts.state} Default: \`active\`.`, { default: "active" }),
  name: text(`${texts.name} Required for a new app.`, { maxLength: TEXT_LENGTH }),
  subdomain: text(`${texts.subdomain} Some names are reserved. Default: derived from the name.`, { maxLength: 63 }),
  header: markup(texts.header),
  footer: markup(texts.footer),
  external_css: url(texts.external_css),
  login_handler: text(`${texts.login_handler} Required under \`/v1\`. Default: none.`, {
    format: "uri",
    maxLength: URL_LENGTH
  }),
  signup_handler: url(texts.signup_handler),
  redirect_uris: urls(texts.redirect_uris),
  logout_uris: urls(texts.logout_uris),
  signup_mode: describe(maybe(Choice(signupModes)), `${texts.signup_mode} Default: \`user\`.`, { default: "user" }),
  require_password_confirmation: flag(texts.require_password_confirmation),
  require_names: flag(texts.require_names),
  require_org_name: flag(texts.require_org_name),
  allow_jsonp: flag(texts.allow_jsonp, true),
  auto_continue: flag(texts.auto_continue, true),
  allow_invitations: flag(texts.allow_invitations, true),
  invitation_permissions: describe(
    maybe(Permissions),
    `${texts.invitation_permissions} Up to 20 tags, in the same format as for memberships. None can begin with \`ar:\`. Default: none.`
  ),
  appearance: describe(maybe(AppearanceSettings), `${texts.appearance} Null restores the default look. Default: none.`),
  ...oauthSettings
}).annotate({ identifier: "ConnectedAppInput" })

export type ConnectedAppPayload = (typeof Settings)["Type"]
