import { createHash } from "node:crypto"
import type { Appearance } from "#domain/Appearance"
import { type BrandPalette, brandPalette } from "#domain/BrandPalette"
import { type Color, formatColor, parseColor } from "#domain/Color"
import { themes } from "#domain/PageThemes"

/** The stylesheet with an app's colors, and its digest for the content security policy. */
export interface BrandStyle {
  readonly css: string
  readonly digest: string
}

const rules = ({ fill, onFill, fillHover, accent, tint }: BrandPalette): string =>
  `:root { --fill: ${formatColor(fill)}; --on-fill: ${formatColor(onFill)}; --fill-down: ${formatColor(fillHover)}; --accent: ${formatColor(accent)}; --tint: ${formatColor(tint)} }`

const inDark = (css: string): string => `@media (prefers-color-scheme: dark) { ${css} }`

/** The dark theme uses the app's dark color, or a color derived from the light theme's. */
const cssOf = (light: Color | undefined, dark: Color | undefined): string => {
  const inLight = light === undefined ? "" : rules(brandPalette(light, themes.light))
  const other = dark ?? light
  return other === undefined
    ? ""
    : [inLight, inDark(rules(brandPalette(other, themes.dark, dark === undefined)))].join("\n").trim()
}

const parsed = (text: string | null): Color | undefined => (text === null ? undefined : parseColor(text))

/**
 * Returns the colors of an app as a stylesheet, or undefined if the app has no colors. Stored colors are parsed and formatted
 * again, so that the stylesheet can't contain anything except colors (SEC-139).
 */
export const brandStyleOf = ({ color, darkColor }: Appearance): BrandStyle | undefined => {
  const css = cssOf(parsed(color), parsed(darkColor))
  if (css === "") return undefined
  return { css, digest: `sha256-${createHash("sha256").update(css).digest("base64")}` }
}
