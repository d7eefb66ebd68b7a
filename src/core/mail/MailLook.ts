// The mail thread loads this file at every start: import only types of modules that load Effect.
import type { Appearance } from "#domain/Appearance"
import { cornerRadii, fontStacks } from "#domain/BrandFont"
import { type BrandColors, brandTheme } from "#domain/BrandTheme"
import { formatColor } from "#domain/Color"
import type { ThemeName } from "#domain/PageThemes"

/** The colors of an email in one theme, as `#rrggbb`. */
export interface MailColors {
  readonly back: string
  readonly backInk: string
  readonly tile: string
  readonly onTile: string
  readonly card: string
  readonly rule: string
  readonly ink: string
  readonly soft: string
  readonly accent: string
  readonly fill: string
  readonly onFill: string
}

/** The look of an email. */
export interface MailLook {
  readonly name: string
  /** The URLs of the logo for each theme. If `dark` is null, `light` is used for both. */
  readonly logo: { readonly light: string; readonly dark: string | null } | null
  readonly font: string
  /** The corner radii of buttons and the card, in pixels. */
  readonly radius: { readonly control: number; readonly card: number }
  /** Whether the text has no card around it. */
  readonly isPlain: boolean
  readonly light: MailColors
  readonly dark: MailColors
}

const colorsOf = (appearance: BrandColors, name: ThemeName): MailColors => {
  const { back, backInk, tile, onTile, surface, palette } = brandTheme(appearance, name)
  return {
    back: formatColor(back),
    backInk: formatColor(backInk),
    tile: formatColor(tile),
    onTile: formatColor(onTile),
    card: formatColor(surface.card),
    rule: formatColor(surface.rule),
    ink: formatColor(surface.ink),
    soft: formatColor(surface.soft),
    accent: formatColor(palette.accent),
    fill: formatColor(palette.fill),
    onFill: formatColor(palette.onFill)
  }
}

/** The look of the emails of an app with a name and a logo. */
export const mailLookOf = (
  appearance: BrandColors & Pick<Appearance, "font" | "radius">,
  name: string,
  logo: MailLook["logo"]
): MailLook => ({
  name,
  logo,
  font: fontStacks[appearance.font ?? "system"],
  radius: cornerRadii[appearance.radius ?? "medium"],
  isPlain: appearance.layout === "plain",
  light: colorsOf(appearance, "light"),
  dark: colorsOf(appearance, "dark")
})

/** The look of emails without an app. */
export const defaultMailLook: MailLook = mailLookOf(
  { color: null, darkColor: null, background: null, darkBackground: null, layout: null, font: null, radius: null },
  "",
  null
)
