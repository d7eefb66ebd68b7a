import { type Color, parseColor } from "./Color.ts"

/** The colors that brand colors must be readable on: the page's background, the card, and the text. */
export interface Theme {
  readonly back: Color
  readonly card: Color
  readonly ink: Color
}

/** The colors of texts, lines and messages on a card. */
export interface Surface extends Theme {
  /** Less important text. */
  readonly soft: Color
  /** The borders of fields, and of everything else. */
  readonly line: Color
  readonly rule: Color
  readonly bad: Color
  readonly badBack: Color
  readonly good: Color
  readonly goodBack: Color
  readonly wait: Color
  readonly waitBack: Color
}

const color = (text: string): Color => {
  const parsed = parseColor(text)
  if (parsed === undefined) throw new Error(`Not a color: ${text}`)
  return parsed
}

/** The light and the dark theme. The browser chooses between them. */
export const themes = {
  light: {
    back: color("#f4f4f1"),
    card: color("#ffffff"),
    ink: color("#1c1e22"),
    soft: color("#545963"),
    line: color("#80858f"),
    rule: color("#e2e2dc"),
    bad: color("#b01c14"),
    badBack: color("#fdf0ee"),
    good: color("#17714a"),
    goodBack: color("#e6f4ec"),
    wait: color("#7a5200"),
    waitBack: color("#fbf1dc")
  },
  dark: {
    back: color("#121417"),
    card: color("#1c1f24"),
    ink: color("#eceef1"),
    soft: color("#a9b0bb"),
    line: color("#767d89"),
    rule: color("#31363e"),
    bad: color("#ff9d94"),
    badBack: color("#3a1d1b"),
    good: color("#7fd6a8"),
    goodBack: color("#17332a"),
    wait: color("#f0c674"),
    waitBack: color("#37301d")
  }
} as const satisfies Record<string, Surface>

export type ThemeName = keyof typeof themes

/** The brand color of pages and emails without one, and the text on it. */
export const plainBrand = {
  light: {
    fill: color("#1f4fd1"),
    fillHover: color("#173ca3"),
    onFill: color("#ffffff"),
    accent: color("#1f4fd1"),
    tint: color("#f1f4fc")
  },
  dark: {
    fill: color("#9db8ff"),
    fillHover: color("#c3d3ff"),
    onFill: color("#0c1a40"),
    accent: color("#9db8ff"),
    tint: color("#252b38")
  }
} as const satisfies Record<ThemeName, Readonly<Record<string, Color>>>
