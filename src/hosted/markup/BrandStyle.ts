import { createHash } from "node:crypto"
import type { Appearance } from "#domain/Appearance"
import { type BrandPalette, brandPalette } from "#domain/BrandPalette"
import { type Color, formatColor, parseColor } from "#domain/Color"
import { themes } from "#domain/PageThemes"

/** A stylesheet that an app adds to the pages' own, with the digest by which the content security policy allows it. */
export interface BrandStyle {
  readonly css: string
  readonly digest: string
}

const rules = ({ fill, onFill, fillDown, accent, tint }: BrandPalette): string =>
  `:root { --fill: ${formatColor(fill)}; --on-fill: ${formatColor(onFill)}; --fill-down: ${formatColor(fillDown)}; --accent: ${formatColor(accent)}; --tint: ${formatColor(tint)} }`

const inDark = (css: string): string => `@media (prefers-color-scheme: dark) { ${css} }`

/** The dark theme has its own color, else one that is derived from that of the light theme. */
const cssOf = (light: Color | undefined, dark: Color | undefined): string => {
  const inLight = light === undefined ? "" : rules(brandPalette(light, themes.light))
  const other = dark ?? light
  return other === undefined
    ? ""
    : [inLight, inDark(rules(brandPalette(other, themes.dark, dark === undefined)))].join("\n").trim()
}

const parsed = (text: string | null): Color | undefined => (text === null ? undefined : parseColor(text))

/**
 * The colors of an app as a stylesheet. Undefined: it has none of its own. Whatever is stored, nothing but colors that were read and
 * written again gets into it (SEC-139).
 */
export const brandStyleOf = ({ color, darkColor }: Appearance): BrandStyle | undefined => {
  const css = cssOf(parsed(color), parsed(darkColor))
  if (css === "") return undefined
  return { css, digest: `sha256-${createHash("sha256").update(css).digest("base64")}` }
}
