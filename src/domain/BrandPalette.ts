import { BLACK, type Color, contrast, isNeutral, lightness, luminance, mix, WHITE, withLightness } from "./Color.ts"
import type { Theme } from "./PageThemes.ts"

/** The page colors derived from an app's brand color. */
export interface BrandPalette {
  /** Buttons, their text, and buttons under the pointer. */
  readonly fill: Color
  readonly onFill: Color
  readonly fillHover: Color
  /** Links and the focus ring. */
  readonly accent: Color
  /** The background of quiet buttons under the pointer. */
  readonly tint: Color
}

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
const MIN_TEXT_CONTRAST = 4.5

/** The minimum contrast of non-text elements (WCAG 2.2, 1.4.11). */
const MIN_GRAPHIC_CONTRAST = 3

/** The minimum contrast between a button and the card around it. Below this, the two look the same. */
const MIN_BUTTON_CONTRAST = 1.25

const NEAR_BLACK: Color = { red: 17, green: 18, blue: 20 }

const LIGHTNESS_STEP = 0.01

/** The color itself or its first darker or lighter shade that fits; black or white if none does. */
const firstFittingShade = (color: Color, theme: Theme, fits: (color: Color) => boolean): Color => {
  const step = luminance(theme.card) > 0.5 ? -LIGHTNESS_STEP : LIGHTNESS_STEP
  for (let light = lightness(color); light > 0 && light < 1; light += step) {
    const shade = withLightness(color, light)
    if (fits(shade)) return shade
  }
  return step < 0 ? BLACK : WHITE
}

/** The text color for a background: white if readable, else near black, else black. */
const textColorOn = (fill: Color): Color =>
  [WHITE, NEAR_BLACK].find((text) => contrast(text, fill) >= MIN_TEXT_CONTRAST) ?? BLACK

/** The color of a button under the pointer: shifted slightly in the direction that keeps its text readable. */
const hoverColor = (fill: Color): Color => {
  if (textColorOn(fill) === WHITE) return mix(fill, BLACK, 0.2)
  return luminance(fill) > 0.6 ? mix(fill, BLACK, 0.08) : mix(fill, WHITE, 0.2)
}

const tintOf = (accent: Color, { card }: Theme): Color => mix(card, accent, 0.08)

/**
 * The color of links: the color itself if it is readable on every background, else a darker or lighter shade. Unreadable grays
 * are replaced by the text color.
 */
const accentOf = (fill: Color, theme: Theme): Color => {
  const { back, card, ink } = theme
  const isReadable = (color: Color) =>
    [back, card, tintOf(color, theme)].every((background) => contrast(color, background) >= MIN_TEXT_CONTRAST)
  if (isNeutral(fill)) return isReadable(fill) ? fill : ink
  return firstFittingShade(fill, theme, isReadable)
}

/**
 * The palette of a brand color in a theme. All text is readable (WCAG 2.2 AA). `derived`: the color was chosen for the light
 * theme, and is made lighter or darker until it is visible. A color that looks like the card is replaced by the text color.
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
