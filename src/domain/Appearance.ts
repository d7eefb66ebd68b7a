import type { BrandFont, BrandLayout, BrandRadius } from "./BrandFont.ts"
import { formatColor, parseColor } from "./Color.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"

/** The appearance of an app's hosted pages and emails (C158, C293). Null settings use the built-in default. */
export interface Appearance {
  /** The name to show instead of the realm's. */
  readonly name: string | null
  /** The file names of the logos for light and dark backgrounds. If there is no dark one, the light one is used for both. */
  readonly logo: LogoFile | null
  readonly darkLogo: LogoFile | null
  /** The color of buttons and links, as `#rrggbb`. If `darkColor` is null, the dark theme's color is derived from this one. */
  readonly color: string | null
  readonly darkColor: string | null
  /**
   * The color around the card, as `#rrggbb`, and without a card, of the whole page. If `darkBackground` is null, the dark
   * theme uses `background` as well, unless it is light.
   */
  readonly background: string | null
  readonly darkBackground: string | null
  readonly font: BrandFont | null
  readonly radius: BrandRadius | null
  readonly layout: BrandLayout | null
  /** The PNG logos of emails. If there is none, emails use `logo` and `darkLogo` if these are PNG images. */
  readonly emailLogo: LogoFile | null
  readonly darkEmailLogo: LogoFile | null
}

/** The logos of an appearance. */
export const logoMembers = ["logo", "darkLogo", "emailLogo", "darkEmailLogo"] as const

export type LogoMember = (typeof logoMembers)[number]

/** The appearance settings a caller can send. Null clears a setting. Logos are sent as data URLs. */
export interface AppearanceInput {
  readonly name?: string | null
  readonly logo?: string | null
  readonly darkLogo?: string | null
  readonly color?: string | null
  readonly darkColor?: string | null
  readonly background?: string | null
  readonly darkBackground?: string | null
  readonly font?: BrandFont | null
  readonly radius?: BrandRadius | null
  readonly layout?: BrandLayout | null
  readonly emailLogo?: string | null
  readonly darkEmailLogo?: string | null
}

export const defaultAppearance: Appearance = {
  name: null,
  logo: null,
  darkLogo: null,
  color: null,
  darkColor: null,
  background: null,
  darkBackground: null,
  font: null,
  radius: null,
  layout: null,
  emailLogo: null,
  darkEmailLogo: null
}

/** The image types of logos, by file extension. */
export const logoTypes = { png: "image/png", svg: "image/svg+xml" } as const

export type LogoExtension = keyof typeof logoTypes

/** The file name of a logo. It contains the digest of the content, so that a new logo gets a new URL. */
export type LogoFile = `${string}.${LogoExtension}`

/** The maximum size of a logo, in bytes. */
export const MAX_LOGO_SIZE = 65_536

/** The maximum length of a logo's data URL, in characters: a logo of the maximum size in base64, with line breaks. */
export const MAX_LOGO_LENGTH = 92_000

/** An image that is safe to serve. */
export interface Logo {
  readonly file: LogoFile
  readonly bytes: Uint8Array
}

/** The media type of a logo, by its file extension. */
export const logoTypeOf = (file: LogoFile): string => (file.endsWith(".png") ? logoTypes.png : logoTypes.svg)

/** The names of the email logos in their paths. Unlike other logos, they keep their URL, so that sent emails show the current one. */
export const emailLogoNames = { light: "email.png", dark: "email-dark.png" } as const

const pngOf = (file: LogoFile | null): LogoFile | null => (file?.endsWith(".png") === true ? file : null)

/** The logos that emails show. Many mail clients don't show SVG images. */
export const emailLogosOf = ({ logo, darkLogo, emailLogo, darkEmailLogo }: Appearance) => ({
  light: emailLogo ?? pngOf(logo),
  dark: darkEmailLogo ?? pngOf(darkLogo)
})

/** The path of an email's logo on the host of its app. The query changes with the logo. */
export const emailLogoPath = (theme: keyof typeof emailLogoNames, file: LogoFile): `/${string}` =>
  `/assets/logos/${emailLogoNames[theme]}?v=${file.slice(0, 8)}`

/** The path of a logo on the host of its app. An OAuth client's logo is served on the host of the app where its users log in. */
export const logoPath = (file: string, clientId?: string): `/${string}` =>
  `/assets/logos/${file}${clientId === undefined ? "" : `?client_id=${encodeURIComponent(clientId)}`}`

const color = (input: string | null | undefined, before: string | null): string | null => {
  if (input === undefined) return before
  const typed = nonBlank(input)?.trim() ?? null
  const parsed = typed === null ? undefined : parseColor(typed)
  return parsed === undefined ? typed : formatColor(parsed)
}

/** Applies a caller's input to an appearance, except for new logos, which must be decoded first. */
export const applyAppearance = (before: Appearance, input: AppearanceInput | null | undefined): Appearance => {
  if (input === undefined) return before
  if (input === null) return defaultAppearance
  return {
    name: input.name === undefined ? before.name : (nonBlank(input.name)?.trim() ?? null),
    logo: input.logo === null ? null : before.logo,
    darkLogo: input.darkLogo === null ? null : before.darkLogo,
    color: color(input.color, before.color),
    darkColor: color(input.darkColor, before.darkColor),
    background: color(input.background, before.background),
    darkBackground: color(input.darkBackground, before.darkBackground),
    font: input.font === undefined ? before.font : input.font,
    radius: input.radius === undefined ? before.radius : input.radius,
    layout: input.layout === undefined ? before.layout : input.layout,
    emailLogo: input.emailLogo === null ? null : before.emailLogo,
    darkEmailLogo: input.darkEmailLogo === null ? null : before.darkEmailLogo
  }
}

const nameProblems = (name: string | null): ReadonlyArray<Problem> => {
  if (name === null) return []
  if (!isStorable(name)) return [problem("appearance.name", "invalid")]
  return isWithin(TEXT_LENGTH, name) ? [] : [problem("appearance.name", "too_long", { maximum: TEXT_LENGTH })]
}

const colorProblems = (field: string, color: string | null): ReadonlyArray<Problem> =>
  color === null || parseColor(color) !== undefined ? [] : [problem(field, "color_form")]

/** Validates an appearance, except for its logos (SEC-139). */
export const appearanceProblems = (appearance: Appearance): ReadonlyArray<Problem> => [
  ...nameProblems(appearance.name),
  ...colorProblems("appearance.color", appearance.color),
  ...colorProblems("appearance.dark_color", appearance.darkColor),
  ...colorProblems("appearance.background", appearance.background),
  ...colorProblems("appearance.dark_background", appearance.darkBackground)
]
