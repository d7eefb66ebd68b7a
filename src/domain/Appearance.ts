import { formatColor, parseColor } from "./Color.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "./Text.ts"

/** How the hosted pages of an app look (C158). Null: as the pages look by themselves. */
export interface Appearance {
  /** What people see in place of the realm's name. */
  readonly name: string | null
  /** The file names of the logos: one for a light background, or for both, and one for a dark background. */
  readonly logo: LogoFile | null
  readonly darkLogo: LogoFile | null
  /** The color of buttons and links, as `#rrggbb`; in the dark theme another one, else one that is derived from it. */
  readonly color: string | null
  readonly darkColor: string | null
}

/** The appearance that a caller sends. Null clears what it stands for. A logo is sent as a data URL. */
export interface AppearanceInput {
  readonly name?: string | null
  readonly logo?: string | null
  readonly darkLogo?: string | null
  readonly color?: string | null
  readonly darkColor?: string | null
}

export const defaultAppearance: Appearance = { name: null, logo: null, darkLogo: null, color: null, darkColor: null }

/** The types of images that a logo can have, by the ending of its file. */
export const logoTypes = { png: "image/png", svg: "image/svg+xml" } as const

export type LogoEnding = keyof typeof logoTypes

/** The file of a logo: named after the digest of its content, so that a new logo has a new address. */
export type LogoFile = `${string}.${LogoEnding}`

/** The largest logo, in bytes. */
export const MAX_LOGO_SIZE = 65_536

/** The longest data URL of a logo, in characters: base64 of the largest one, with line breaks. */
export const MAX_LOGO_LENGTH = 92_000

/** An image that is safe to serve. */
export interface Logo {
  readonly file: LogoFile
  readonly bytes: Uint8Array
}

/** The type of a logo, by the ending of its file. */
export const logoTypeOf = (file: LogoFile): string => (file.endsWith(".png") ? logoTypes.png : logoTypes.svg)

/** The address of a logo on the host of its app; of an OAuth client, on that of the app where its users log in. */
export const logoPath = (file: string, clientId?: string): `/${string}` =>
  `/assets/logos/${file}${clientId === undefined ? "" : `?client_id=${encodeURIComponent(clientId)}`}`

const color = (input: string | null | undefined, before: string | null): string | null => {
  if (input === undefined) return before
  const typed = presence(input)?.trim() ?? null
  const parsed = typed === null ? undefined : parseColor(typed)
  return parsed === undefined ? typed : formatColor(parsed)
}

/** An appearance with a caller's input applied, apart from new logos, which have to be read first. */
export const applyAppearance = (before: Appearance, input: AppearanceInput | null | undefined): Appearance => {
  if (input === undefined) return before
  if (input === null) return defaultAppearance
  return {
    name: input.name === undefined ? before.name : (presence(input.name)?.trim() ?? null),
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

/** Validates an appearance, apart from its logos (SEC-139). */
export const appearanceProblems = ({ name, color, darkColor }: Appearance): ReadonlyArray<Problem> => [
  ...nameProblems(name),
  ...colorProblems("appearance.color", color),
  ...colorProblems("appearance.dark_color", darkColor)
]
