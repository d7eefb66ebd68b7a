import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { brandPalette } from "#domain/BrandPalette"
import {
  BLACK,
  type Color,
  contrast,
  formatColor,
  lightness,
  luminance,
  parseColor,
  WHITE,
  withLightness
} from "#domain/Color"
import { type Theme, themes } from "#domain/PageThemes"

const channel = fc.integer({ min: 0, max: 255 })
const colors: fc.Arbitrary<Color> = fc.oneof(
  fc.record({ red: channel, green: channel, blue: channel }),
  channel.map((gray) => ({ red: gray, green: gray, blue: gray }))
)
const settings = fc.record({
  theme: fc.constantFrom<Theme>(themes.light, themes.dark),
  color: colors,
  derived: fc.boolean()
})

describe("colors", () => {
  test("can be read and written in hexadecimal notation, short or long", () => {
    for (const [typed, written] of [
      ["#0b3d91", "#0b3d91"],
      ["#FFD400", "#ffd400"],
      ["#fFf", "#ffffff"],
      ["#1a2", "#11aa22"]
    ] as const) {
      const color = parseColor(typed)
      expect(color === undefined ? undefined : formatColor(color)).toBe(written)
    }
    for (const text of ["", "red", "#12", "#1234", "#12345g", "#0b3d91;}", "url(x)", "rgb(0,0,0)", " #fff", "#fff\n"]) {
      expect([text, parseColor(text)]).toEqual([text, undefined])
    }
  })

  test("have the luminance and contrast that WCAG defines", () => {
    const of = (text: string) => parseColor(text) ?? BLACK
    expect([luminance(BLACK), luminance(WHITE), contrast(WHITE, BLACK)]).toEqual([0, expect.closeTo(1), 21])
    expect(contrast(of("#767676"), WHITE)).toBeCloseTo(4.54, 2)
    expect(contrast(of("#ff0000"), WHITE)).toBeCloseTo(4, 1)
    expect(contrast(of("#0000ff"), BLACK)).toBeCloseTo(2.44, 2)
  })
})

test("a lighter or darker version of a color has the same hue, and gray stays gray", () => {
  const of = (text: string, light: number) => formatColor(withLightness(parseColor(text) ?? BLACK, light))
  expect(of("#0b1f4b", 0.55)).toMatch(/^#3[6-9a-f]6[4-9a-f]e[0-9a-f]$/)
  expect([of("#ff0000", 0.25), of("#808080", 0.25), of("#000000", 0.5), of("#123456", 1)]).toEqual([
    "#800000",
    "#404040",
    "#808080",
    "#ffffff"
  ])
  fc.assert(
    fc.property(colors, fc.double({ min: 0, max: 1, noNaN: true }), (color, light) => {
      expect(lightness(withLightness(color, light))).toBeCloseTo(light, 2)
    })
  )
})

describe("SEC-139: the palette of any brand color in both themes", () => {
  test("has readable text on buttons, including hovered ones", () => {
    fc.assert(
      fc.property(settings, ({ theme, color, derived }) => {
        const { fill, fillHover, onFill } = brandPalette(color, theme, derived)
        expect(contrast(onFill, fill)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(onFill, fillHover)).toBeGreaterThanOrEqual(4.5)
      })
    )
  })

  test("has readable links on every background", () => {
    fc.assert(
      fc.property(settings, ({ theme, color, derived }) => {
        const { accent, tint } = brandPalette(color, theme, derived)
        for (const background of [theme.back, theme.card, tint]) {
          expect(contrast(accent, background)).toBeGreaterThanOrEqual(4.5)
        }
        expect(contrast(theme.ink, tint)).toBeGreaterThanOrEqual(4.5)
      })
    )
  })

  test("has buttons that stand out from the card", () => {
    fc.assert(
      fc.property(settings, ({ theme, color, derived }) => {
        const { fill } = brandPalette(color, theme, derived)
        expect(contrast(fill, theme.card)).toBeGreaterThanOrEqual(derived ? 3 : 1.25)
      })
    )
  })

  test("preserves the brand color if possible, for example dark blue in the light theme", () => {
    const fillOf = (text: string, theme: Theme) => formatColor(brandPalette(parseColor(text) ?? BLACK, theme).fill)
    expect([fillOf("#0b3d91", themes.light), fillOf("#ffd400", themes.dark)]).toEqual(["#0b3d91", "#ffd400"])
    expect(fillOf("#ffffff", themes.light)).toBe(formatColor(themes.light.ink))
  })
})
