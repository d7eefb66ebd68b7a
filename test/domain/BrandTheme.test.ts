import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Appearance, defaultAppearance } from "#domain/Appearance"
import { brandLayouts } from "#domain/BrandFont"
import { brandTheme } from "#domain/BrandTheme"
import { type Color, contrast, formatColor } from "#domain/Color"
import { themes } from "#domain/PageThemes"

const channel = fc.integer({ min: 0, max: 255 })
const color = fc.record({ red: channel, green: channel, blue: channel }).map(formatColor)
const settings = fc.record({
  name: fc.constantFrom("light", "dark"),
  appearance: fc
    .record({
      color: fc.option(color),
      darkColor: fc.option(color),
      background: fc.option(color),
      darkBackground: fc.option(color),
      layout: fc.option(fc.constantFrom(...brandLayouts))
    })
    .map((chosen): Appearance => ({ ...defaultAppearance, ...chosen }))
})

const expectReadable = (background: Color, ...texts: ReadonlyArray<Color>) => {
  for (const text of texts) expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5)
}

describe("SEC-139: the colors of any brand", () => {
  test("have readable text on the card, in messages and on buttons", () => {
    fc.assert(
      fc.property(settings, ({ name, appearance }) => {
        const { surface, palette } = brandTheme(appearance, name)
        const { ink, soft, bad, good, wait } = surface
        expectReadable(surface.card, ink, soft, bad, good, wait, palette.accent)
        expectReadable(surface.back, ink, palette.accent)
        expectReadable(palette.tint, ink, palette.accent)
        expectReadable(surface.badBack, ink, bad)
        expectReadable(surface.goodBack, ink, good)
        expectReadable(surface.waitBack, ink, wait)
        expectReadable(palette.fill, palette.onFill)
        expectReadable(palette.fillHover, palette.onFill)
        expect(contrast(surface.line, surface.card)).toBeGreaterThanOrEqual(3)
      })
    )
  })

  test("have readable text around the card", () => {
    fc.assert(
      fc.property(settings, ({ name, appearance }) => {
        const { back, backInk, backSoft, backAccent, tile, onTile } = brandTheme(appearance, name)
        expectReadable(back, backInk, backSoft, backAccent)
        expectReadable(tile, onTile)
        expect(contrast(tile, back)).toBeGreaterThanOrEqual(1.25)
      })
    )
  })
})

describe("the background", () => {
  const backOf = (chosen: Partial<Appearance>, name: "light" | "dark") =>
    formatColor(brandTheme({ ...defaultAppearance, ...chosen }, name).back)

  test("is not used in the dark theme if it is light", () => {
    expect(backOf({ background: "#ff3d00" }, "dark")).toBe("#ff3d00")
    expect(backOf({ background: "#1b1464" }, "dark")).toBe("#1b1464")
    expect(backOf({ background: "#fde7ef" }, "dark")).toBe(formatColor(themes.dark.back))
    expect(backOf({ background: "#fde7ef", darkBackground: "#331122" }, "dark")).toBe("#331122")
  })

  test("surrounds an unchanged card, and replaces the card in the layout without one", () => {
    const cardOf = (layout: Appearance["layout"]) =>
      formatColor(brandTheme({ ...defaultAppearance, background: "#1b1464", layout }, "light").surface.card)
    expect([cardOf(null), cardOf("split"), cardOf("plain")]).toEqual(["#ffffff", "#ffffff", "#1b1464"])
  })

  test("of the colored half is the brand color by default", () => {
    expect(backOf({ color: "#7c3aed", layout: "split" }, "light")).toBe("#7c3aed")
    expect(backOf({ color: "#7c3aed" }, "light")).toBe(formatColor(themes.light.back))
  })
})
