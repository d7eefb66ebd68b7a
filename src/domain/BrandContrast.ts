import { MIN_TEXT_CONTRAST } from "./BrandPalette.ts"
import { type BrandColors, brandTheme } from "./BrandTheme.ts"
import { BLACK, type Color, contrast, lightness, mix, parseColor, WHITE, withLightness } from "./Color.ts"
import type { ThemeName } from "./PageThemes.ts"

/** The smallest difference in lightness between two shades that are tried. */
const STEP = 1 / 255

/**
 * The shade nearest to a color, lighter or darker, that is readable on a background (WCAG 2.2 AA), or black or white if no
 * shade is. Returns the color itself if it is readable.
 */
export const nearestReadable = (color: Color, background: Color): Color => {
  const isReadable = (shade: Color) => contrast(shade, background) >= MIN_TEXT_CONTRAST
  const light = lightness(color)
  for (let distance = 0; distance <= 1; distance += STEP) {
    const shade = [light - distance, light + distance]
      .filter((one) => one >= 0 && one <= 1)
      .map((one) => (distance === 0 ? color : withLightness(color, one)))
      .find(isReadable)
    if (shade !== undefined) return shade
  }
  return contrast(BLACK, background) > contrast(WHITE, background) ? BLACK : WHITE
}

/** How well a brand color can be read on the card of a theme. */
export interface ColorContrast {
  readonly ratio: number
  readonly isReadable: boolean
  /** The nearest color that is readable. */
  readonly nearest: Color
}

/** Checks the brand color of a theme against the card. Returns undefined if the app has no such color. */
export const colorContrast = (brand: BrandColors, name: ThemeName): ColorContrast | undefined => {
  const color = parseColor((name === "light" ? brand.color : brand.darkColor) ?? "")
  if (color === undefined) return undefined
  const { card } = brandTheme(brand, name).surface
  const ratio = contrast(color, card)
  return { ratio, isReadable: ratio >= MIN_TEXT_CONTRAST, nearest: nearestReadable(color, card) }
}

/** The contrast between a logo and its background below which most of the logo can't be seen. */
export const MIN_LOGO_CONTRAST = 1.5

/** The opacity below which a pixel is part of the background, from 0 to 255. */
const MIN_OPACITY = 32

/** The largest difference of a channel between two pixels of the same color. */
const SAME_COLOR = 8

interface Pixel {
  readonly color: Color
  readonly opacity: number
}

const pixelAt = (pixels: ArrayLike<number>, index: number): Pixel => ({
  color: { red: pixels[index * 4] ?? 0, green: pixels[index * 4 + 1] ?? 0, blue: pixels[index * 4 + 2] ?? 0 },
  opacity: pixels[index * 4 + 3] ?? 0
})

const isSame = (one: Color, other: Color): boolean =>
  Math.max(Math.abs(one.red - other.red), Math.abs(one.green - other.green), Math.abs(one.blue - other.blue)) <=
  SAME_COLOR

/** The background within an image, which its corners have: opaque and of the same color. */
const ownBackground = (pixels: ArrayLike<number>, width: number): Color | undefined => {
  const count = pixels.length / 4
  const corners = [0, width - 1, count - width, count - 1].map((index) => pixelAt(pixels, index))
  const [first] = corners
  return first !== undefined && corners.every(({ color, opacity }) => opacity > 250 && isSame(color, first.color))
    ? first.color
    : undefined
}

/**
 * The contrast between a logo and the page: the median of the contrasts of its pixels, without the transparent ones and
 * without a background of its own. `pixels`: four numbers for each pixel (red, green, blue, opacity), from 0 to 255.
 * Returns undefined if the logo is empty.
 */
export const logoContrast = (pixels: ArrayLike<number>, width: number, background: Color): number | undefined => {
  const own = ownBackground(pixels, width)
  const all = Array.from({ length: pixels.length / 4 }, (_, index) => pixelAt(pixels, index))
  const visible = all.filter(({ opacity }) => opacity >= MIN_OPACITY)
  const drawn = own === undefined ? visible : visible.filter(({ color }) => !isSame(color, own))
  const contrasts = (drawn.length === 0 ? visible : drawn)
    .map(({ color, opacity }) => contrast(mix(background, color, opacity / 255), background))
    .sort((one, other) => one - other)
  return contrasts[Math.floor(contrasts.length / 2)]
}
