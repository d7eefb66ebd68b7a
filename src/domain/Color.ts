/** A color in sRGB. Each channel is an integer from 0 to 255. */
export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
}

export const WHITE: Color = { red: 255, green: 255, blue: 255 }
export const BLACK: Color = { red: 0, green: 0, blue: 0 }

/** Parses a color in hexadecimal notation, `#rgb` or `#rrggbb`. Returns undefined for any other string. */
export const parseColor = (text: string): Color | undefined => {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text) ?? []
  const digits = short === undefined ? long : short.replaceAll(/./g, "$&$&")
  if (digits === undefined) return undefined
  const channel = (place: number) => Number.parseInt(digits.slice(place, place + 2), 16)
  return { red: channel(0), green: channel(2), blue: channel(4) }
}

/** A color as `#rrggbb`, in lower case. */
export const formatColor = ({ red, green, blue }: Color): string =>
  `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`

const linear = (channel: number): number => {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/** The relative luminance (WCAG 2.2), from 0 (black) to 1 (white). */
export const luminance = ({ red, green, blue }: Color): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The contrast ratio (WCAG 2.2), from 1 (identical) to 21 (black on white). */
export const contrast = (one: Color, other: Color): number => {
  const ratio = (luminance(one) + 0.05) / (luminance(other) + 0.05)
  return ratio < 1 ? 1 / ratio : ratio
}

/** Mixes two colors. `share` is the share of the second color, from 0 to 1. */
export const mix = (one: Color, other: Color, share: number): Color => {
  const between = (from: number, to: number) => Math.round(from + (to - from) * share)
  return {
    red: between(one.red, other.red),
    green: between(one.green, other.green),
    blue: between(one.blue, other.blue)
  }
}

/** The lightness of a color (HSL), from 0 (black) to 1 (white). */
export const lightness = ({ red, green, blue }: Color): number =>
  (Math.max(red, green, blue) + Math.min(red, green, blue)) / 510

/** Changes the lightness of a color. Hue and saturation (HSL) stay the same, so it is still recognized as the same color. */
export const withLightness = (color: Color, target: number): Color => {
  const now = lightness(color)
  const range = (value: number) => 1 - Math.abs(2 * value - 1)
  // The ratio of the new color range to the old one. It scales each channel's distance from the lightness.
  const factor = range(now) === 0 ? 0 : range(target) / range(now)
  const scaled = (channel: number) =>
    Math.min(255, Math.max(0, Math.round(255 * target + (channel - 255 * now) * factor)))
  return { red: scaled(color.red), green: scaled(color.green), blue: scaled(color.blue) }
}

/** Returns whether a color is gray, or nearly gray. */
export const isNeutral = ({ red, green, blue }: Color): boolean =>
  Math.max(red, green, blue) - Math.min(red, green, blue) < 24
