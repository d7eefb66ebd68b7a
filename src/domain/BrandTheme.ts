import type { Appearance } from "./Appearance.ts"
import {
  type BrandPalette,
  brandPalette,
  firstFittingShade,
  MIN_BUTTON_CONTRAST,
  MIN_GRAPHIC_CONTRAST,
  MIN_TEXT_CONTRAST
} from "./BrandPalette.ts"
import { BLACK, type Color, contrast, luminance, mix, parseColor, WHITE } from "./Color.ts"
import { plainBrand, type Surface, type Theme, type ThemeName, themes } from "./PageThemes.ts"

/** The settings that determine the colors of an app. */
export type BrandColors = Pick<Appearance, "color" | "darkColor" | "background" | "darkBackground" | "layout">

/** All colors of an app's pages and emails in one theme. */
export interface BrandTheme {
  /** The theme of the browser's own parts of the card, such as the arrow of a select. */
  readonly scheme: ThemeName
  readonly surface: Surface
  readonly palette: BrandPalette
  /** The background around the card. */
  readonly back: Color
  /** The text, the less important text and the links on `back`. */
  readonly backInk: Color
  readonly backSoft: Color
  readonly backAccent: Color
  /** The tile on `back` with the first letter of the name, and the letter's color. */
  readonly tile: Color
  readonly onTile: Color
}

const isReadableOn = (background: Color) => (text: Color) => contrast(text, background) >= MIN_TEXT_CONTRAST

/** The theme whose text is easier to read on a background. */
const schemeOn = (background: Color): ThemeName =>
  contrast(themes.light.ink, background) >= contrast(themes.dark.ink, background) ? "light" : "dark"

/** The text color for a background: a theme's, or black or white if that isn't readable. */
const inkOn = (background: Color): Color =>
  [themes[schemeOn(background)].ink, BLACK, WHITE].find(isReadableOn(background)) ?? BLACK

/** Mixes text into its background as far as the result keeps a contrast. */
const fadedInk = (ink: Color, background: Color, minimum: number, share: number): Color => {
  for (let faded = share; faded > 0; faded -= 0.05) {
    const mixed = mix(ink, background, faded)
    if (contrast(mixed, background) >= minimum) return mixed
  }
  return ink
}

const softOn = (background: Color): Color => fadedInk(inkOn(background), background, MIN_TEXT_CONTRAST, 0.35)

/** A background for a message with an icon and text in the given colors. */
const messageBack = (card: Color, ...texts: ReadonlyArray<Color>): Color =>
  [0.1, 0.05].map((share) => mix(card, texts[0] ?? card, share)).find((back) => texts.every(isReadableOn(back))) ?? card

/** The colors of texts, lines and messages on a card of any color. All text is readable (WCAG 2.2 AA). */
export const surfaceOf = (card: Color): Surface => {
  const ink = inkOn(card)
  const base = themes[schemeOn(card)]
  const readable = (color: Color) => firstFittingShade(color, { card }, isReadableOn(card))
  const [bad, good, wait] = [readable(base.bad), readable(base.good), readable(base.wait)]
  return {
    back: card,
    card,
    ink,
    soft: softOn(card),
    line: fadedInk(ink, card, MIN_GRAPHIC_CONTRAST, 0.6),
    rule: mix(card, ink, 0.15),
    bad,
    badBack: messageBack(card, bad, ink),
    good,
    goodBack: messageBack(card, good, ink),
    wait,
    waitBack: messageBack(card, wait, ink)
  }
}

const parsed = (text: string | null): Color | undefined => (text === null ? undefined : parseColor(text))

/** The highest luminance of a background that doesn't dazzle in the dark theme. */
const MAX_DARK_LUMINANCE = 0.4

/**
 * The background in a theme. The colored half of the layout `split` has the brand color by default. The dark theme uses the
 * light theme's background only if that isn't light.
 */
const backgroundOf = (
  { background, darkBackground, layout, color, darkColor }: BrandColors,
  name: ThemeName
): Color | undefined => {
  const light = parsed(background) ?? (layout === "split" ? parsed(color) : undefined)
  if (name === "light") return light
  const dark = parsed(darkBackground) ?? (layout === "split" && background === null ? parsed(darkColor) : undefined)
  return dark ?? (light !== undefined && luminance(light) <= MAX_DARK_LUMINANCE ? light : undefined)
}

/** The palette on a theme. In the dark theme, it is derived from the light theme's color unless the app has a dark color. */
const paletteOf = ({ color, darkColor }: BrandColors, name: ThemeName, theme: Theme): BrandPalette => {
  const [light, dark] = [parsed(color), parsed(darkColor)]
  const chosen = name === "light" ? light : (dark ?? light)
  if (chosen !== undefined) return brandPalette(chosen, theme, name === "dark" && dark === undefined)
  const isOwn = theme.card !== themes[name].card
  return isOwn ? brandPalette(plainBrand[schemeOn(theme.card)].fill, theme) : plainBrand[name]
}

/** Derives the colors of an app's pages and emails in a theme. All text is readable, whatever the colors (SEC-139). */
export const brandTheme = (appearance: BrandColors, name: ThemeName): BrandTheme => {
  const background = backgroundOf(appearance, name)
  const back = background ?? themes[name].back
  const isPlain = appearance.layout === "plain"
  const surface = isPlain
    ? background === undefined
      ? { ...themes[name], back: themes[name].card }
      : surfaceOf(background)
    : themes[name]
  const palette = paletteOf(appearance, name, surface)
  const around = isPlain ? surface.card : back
  const onBack = background === undefined ? { ...themes[name], back: around, card: around } : surfaceOf(background)
  const isTileVisible = contrast(palette.fill, around) >= MIN_BUTTON_CONTRAST
  return {
    scheme: isPlain ? schemeOn(surface.card) : name,
    surface,
    palette,
    back: around,
    backInk: onBack.ink,
    backSoft: onBack.soft,
    backAccent: background === undefined && !isPlain ? palette.accent : paletteOf(appearance, name, onBack).accent,
    tile: isTileVisible ? palette.fill : onBack.ink,
    onTile: isTileVisible ? palette.onFill : around
  }
}
