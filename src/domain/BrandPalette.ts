import { BLACK, type Color, contrast, isNeutral, lightness, luminance, mix, WHITE, withLightness } from "./Color.ts"
import type { Theme } from "./PageThemes.ts"

/** The page colors derived from an app's brand color. */
export interface BrandPalette {
  /** The colors of buttons: background, text, and background on hover. */
  readonly fill: Color
  readonly onFill: Color
  readonly fillHover: Color
  /** The color of links and the focus ring. */
  readonly accent: Color
  /** The hover background of secondary buttons. */
  readonly tint: Color
}

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
export const MIN_TEXT_CONTRAST = 4.5

/** The minimum contrast of non-text elements (WCAG 2.2, 1.4.11). */
export const MIN_GRAPHIC_CONTRAST = 3

/** The minimum contrast between a button and the card around it. Below this, the button is hardly visible. */
export const MIN_BUTTON_CONTRAST = 1.25

const NEAR_BLACK: Color = { red: 17, green: 18, blue: 20 }

const LIGHTNESS_STEP = 0.01

/** The color itself if it fits, otherwise its first darker or lighter shade that fits, or black or white if none does. */
export const firstFittingShade = (color: Color, theme: Pick<Theme, "card">, fits: (color: Color) => boolean): Color => {
  const step = contrast(BLACK, theme.card) > contrast(WHITE, theme.card) ? -LIGHTNESS_STEP : LIGHTNESS_STEP
  for (let light = lightness(color); light > 0 && light < 1; light += step) {
    const shade = withLightness(color, light)
    if (fits(shade)) return shade
  }
  return step < 0 ? BLACK : WHITE
}

/** The text color for a background: white if readable, otherwise near black or black. */
const textColorOn = (fill: Color): Color =>
  [WHITE, NEAR_BLACK].find((text) => contrast(text, fill) >= MIN_TEXT_CONTRAST) ?? BLACK

/** The hover color of a button, shifted slightly in the direction that keeps the text readable. */
const hoverColor = (fill: Color): Color => {
  if (textColorOn(fill) === WHITE) return mix(fill, BLACK, 0.2)
  return luminance(fill) > 0.6 ? mix(fill, BLACK, 0.08) : mix(fill, WHITE, 0.2)
}

/** The share of the accent color in a tinted background. */
const TINT = 0.08

/** A tinted background on which the accent and the text are readable, or the card's color if there is none. */
const tintOf = (accent: Color, { card, ink }: Pick<Theme, "card" | "ink">): Color =>
  [TINT, TINT / 2]
    .map((share) => mix(card, accent, share))
    .find((tint) => [accent, ink].every((text) => contrast(text, tint) >= MIN_TEXT_CONTRAST)) ?? card

/**
 * The link color: the given color if it is readable on every background, otherwise a darker or lighter shade. Unreadable
 * grays are replaced by the text color.
 */
const accentOf = (fill: Color, theme: Theme): Color => {
  const { back, card, ink } = theme
  const isReadable = (color: Color) =>
    [back, card, mix(card, color, TINT)].every((background) => contrast(color, background) >= MIN_TEXT_CONTRAST)
  if (isNeutral(fill)) return isReadable(fill) ? fill : ink
  return firstFittingShade(fill, theme, isReadable)
}

/**
 * Derives the palette of a brand color in a theme. All text is readable (WCAG 2.2 AA). With `derived`, a color chosen for
 * the light theme is made lighter or darker until it is visible in this one. A color too close to the card's is replaced by
 * the text color.
 */
export const brandPalette = (color: Color, theme: Theme, derived = false): BrandPalette => {
  const { card, ink } = theme
  const shown = derived
    ? firstFittingShade(color, theme, (shade) => contrast(shade, card) >= MIN_GRAPHIC_CONTRAST)
    : color
  const fill = contrast(shown, card) < MIN_BUTTON_CONTRAST ? ink : shown
  const accent = accentOf(fill, theme)
  return { fill, onFill: textColorOn(fill), fillHover: hoverColor(fill), accent, tint: tintOf(accent, theme) }
}
