import { createHash } from "node:crypto"
import { type Appearance, defaultAppearance } from "#domain/Appearance"
import { cornerRadii, fontStacks } from "#domain/BrandFont"
import type { ThemeName } from "#domain/PageThemes"
import { LruMap } from "#platform/LruMap"
import { themeVariables } from "./ThemeVariables.ts"

/** The stylesheet with an app's colors, font and corners, and its digest for the content security policy. */
export interface BrandStyle {
  readonly css: string
  readonly digest: string
}

type Declaration = readonly [property: string, value: string]

const rule = (declarations: ReadonlyArray<Declaration>): string =>
  declarations.length === 0 ? "" : `:root { ${declarations.map((each) => each.join(": ")).join("; ")} }`

const standard = {
  light: new Map(themeVariables(defaultAppearance, "light")),
  dark: new Map(themeVariables(defaultAppearance, "dark"))
}

/** The colors of a theme that differ from the standard ones. */
const ownColors = (appearance: Appearance, name: ThemeName): ReadonlyArray<Declaration> =>
  themeVariables(appearance, name).filter(([property, value]) => standard[name].get(property) !== value)

const fontAndCorners = ({ font, radius }: Appearance): ReadonlyArray<Declaration> => [
  ...(font === null ? [] : [["--font", fontStacks[font]] as const]),
  ...(radius === null
    ? []
    : ([
        ["--radius", `${cornerRadii[radius].control}px`],
        ["--card-radius", `${cornerRadii[radius].card}px`]
      ] as const))
]

const cssOf = (appearance: Appearance): string => {
  const light = ownColors(appearance, "light")
  const changed = new Set([...light, ...ownColors(appearance, "dark")].map(([property]) => property))
  // Colors that differ in only one theme are set in both, because these rules follow the standard ones.
  const dark = themeVariables(appearance, "dark").filter(([property]) => changed.has(property))
  const inDark = rule(dark)
  return [
    rule([...light, ...fontAndCorners(appearance)]),
    inDark === "" ? "" : `@media (prefers-color-scheme: dark) { ${inDark} }`
  ]
    .join("\n")
    .trim()
}

const CAPACITY = 256

/** The stylesheets of recently used appearances. Deriving the colors takes longer than rendering a page. */
const styles = new LruMap<string, { readonly key: string; readonly style: BrandStyle | undefined }>(CAPACITY)

const styleOf = (appearance: Appearance): BrandStyle | undefined => {
  const css = cssOf(appearance)
  if (css === "") return undefined
  return { css, digest: `sha256-${createHash("sha256").update(css).digest("base64")}` }
}

/**
 * Returns the colors, font and corners of an app as a stylesheet, or undefined if the app has none. Stored colors are parsed
 * and formatted again, and fonts are chosen from a list, so that the stylesheet can't contain anything else (SEC-139).
 */
export const brandStyleOf = (appearance: Appearance): BrandStyle | undefined => {
  const { color, darkColor, background, darkBackground, font, radius, layout } = appearance
  const key = [color, darkColor, background, darkBackground, font, radius, layout].join(" ")
  const known = styles.get(key)
  if (known !== undefined) return known.style
  const style = styleOf(appearance)
  styles.set({ key, style })
  return style
}
