import { BLACK, type Color, contrast, isNeutral, lightness, luminance, mix, WHITE, withLightness } from "./Color.ts"
import type { Theme } from "./PageThemes.ts"

/** The colors of the pages that an app's brand color stands for. */
export interface BrandPalette {
  /** Buttons, with the text on them, and buttons under the pointer. */
  readonly fill: Color
  readonly onFill: Color
  readonly fillDown: Color
  /** Links and the ring around what has the focus. */
  readonly accent: Color
  /** The background of quiet buttons under the pointer. */
  readonly tint: Color
}

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5

/** The least contrast of what is not text (WCAG 2.2, 1.4.11). */
const VISIBLE = 3

/** A button with less contrast to the card around it can't be told from it. */
const DISTINCT = 1.25

const NEAR_BLACK: Color = { red: 17, green: 18, blue: 20 }

const STEP = 0.01

/** The first that will do of a color and darker or lighter ones. Black and white, where they end, have to. */
const firstThatFits = (color: Color, theme: Theme, fits: (color: Color) => boolean): Color => {
  const step = luminance(theme.card) > 0.5 ? -STEP : STEP
  for (let light = lightness(color); light > 0 && light < 1; light += step) {
    const shade = withLightness(color, light)
    if (fits(shade)) return shade
  }
  return step < 0 ? BLACK : WHITE
}

/** Text on a color: white if that is readable, else as dark as it has to be. One of white and black always is. */
const textOn = (fill: Color): Color => [WHITE, NEAR_BLACK].find((text) => contrast(text, fill) >= READABLE) ?? BLACK

/** A color that a pointer changes a little, to the side where text on it stays readable. */
const pressed = (fill: Color): Color => {
  if (textOn(fill) === WHITE) return mix(fill, BLACK, 0.2)
  return luminance(fill) > 0.6 ? mix(fill, BLACK, 0.08) : mix(fill, WHITE, 0.2)
}

const tintOf = (accent: Color, { card }: Theme): Color => mix(card, accent, 0.08)

/** Links: the color itself if it can be read on every background, else darker or lighter. Grays become the color of text. */
const accentOf = (fill: Color, theme: Theme): Color => {
  const { back, card, ink } = theme
  const isReadable = (color: Color) =>
    [back, card, tintOf(color, theme)].every((background) => contrast(color, background) >= READABLE)
  if (isNeutral(fill)) return isReadable(fill) ? fill : ink
  return firstThatFits(fill, theme, isReadable)
}

/**
 * The palette of a brand color in a theme, in which all text is readable (WCAG 2.2 AA). `derived`: the color is that of the
 * light theme, and is made lighter or darker until it shows well. A color that can't be told from the card is replaced by that of text.
 */
export const brandPalette = (color: Color, theme: Theme, derived = false): BrandPalette => {
  const { card, ink } = theme
  const shown = derived ? firstThatFits(color, theme, (shade) => contrast(shade, card) >= VISIBLE) : color
  const fill = contrast(shown, card) < DISTINCT ? ink : shown
  const accent = accentOf(fill, theme)
  return { fill, onFill: textOn(fill), fillDown: pressed(fill), accent, tint: tintOf(accent, theme) }
}
