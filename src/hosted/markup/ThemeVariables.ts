import type { Appearance } from "#domain/Appearance"
import { brandTheme } from "#domain/BrandTheme"
import { formatColor } from "#domain/Color"
import type { ThemeName } from "#domain/PageThemes"

/** The CSS properties with the colors of an app in a theme. */
export const themeVariables = (
  appearance: Appearance,
  name: ThemeName
): ReadonlyArray<readonly [property: string, value: string]> => {
  const { scheme, surface, palette, ...around } = brandTheme(appearance, name)
  const colors = {
    fill: palette.fill,
    "on-fill": palette.onFill,
    "fill-down": palette.fillHover,
    accent: palette.accent,
    tint: palette.tint,
    back: around.back,
    "back-ink": around.backInk,
    "back-soft": around.backSoft,
    "back-accent": around.backAccent,
    tile: around.tile,
    "on-tile": around.onTile,
    sunk: surface.back,
    card: surface.card,
    ink: surface.ink,
    soft: surface.soft,
    line: surface.line,
    rule: surface.rule,
    bad: surface.bad,
    "bad-back": surface.badBack,
    good: surface.good,
    "good-back": surface.goodBack,
    wait: surface.wait,
    "wait-back": surface.waitBack
  }
  return [
    ...Object.entries(colors).map(([property, color]) => [`--${property}`, formatColor(color)] as const),
    ["color-scheme", scheme]
  ]
}
