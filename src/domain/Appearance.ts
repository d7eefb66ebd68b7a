import { formatColor, parseColor } from "./Color.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"

/** The appearance of an app's hosted pages (C158). Null settings use the built-in default. */
export interface Appearance {
  /** The name to show instead of the realm's. */
  readonly name: string | null
  /** The file names of the logos for light and dark backgrounds. If there is no dark one, the light one is used for both. */
  readonly logo: LogoFile | null
  readonly darkLogo: LogoFile | null
  /** The color of buttons and links, as `#rrggbb`. If `darkColor` is null, the dark theme's color is derived from this one. */
  readonly color: string | null
  readonly darkColor: string | null
}

/** The appearance settings a caller can send. Null clears a setting. Logos are sent as data URLs. */
export interface AppearanceInput {
  readonly name?: string | null
  readonly logo?: string | null
  readonly darkLogo?: string | null
  readonly color?: string | null
  readonly darkColor?: string | null
}

export const defaultAppearance: Appearance = { name: null, logo: null, darkLogo: null, color: null, darkColor: null }

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
    darkColor: color(input.darkColor, before.darkColor)
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
export const appearanceProblems = ({ name, color, darkColor }: Appearance): ReadonlyArray<Problem> => [
  ...nameProblems(name),
  ...colorProblems("appearance.color", color),
  ...colorProblems("appearance.dark_color", darkColor)
]
