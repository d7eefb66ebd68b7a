import { type Color, parseColor } from "./Color.ts"

/** The colors of a theme, which all apps share. Brand colors must be readable on them. */
export interface Theme {
  readonly back: Color
  readonly card: Color
  readonly ink: Color
}

const color = (text: string): Color => {
  const parsed = parseColor(text)
  if (parsed === undefined) throw new Error(`Not a color: ${text}`)
  return parsed
}

/** The light and the dark theme. The browser chooses between them. */
export const themes = {
  light: { back: color("#f4f4f1"), card: color("#ffffff"), ink: color("#1c1e22") },
  dark: { back: color("#121417"), card: color("#1c1f24"), ink: color("#eceef1") }
} as const satisfies Record<string, Theme>
