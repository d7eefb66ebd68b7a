import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { defaultAppearance } from "#domain/Appearance"
import { colorContrast, logoContrast, MIN_LOGO_CONTRAST, nearestReadable } from "#domain/BrandContrast"
import { BLACK, type Color, contrast, formatColor, lightness, parseColor, WHITE, withLightness } from "#domain/Color"

const channel = fc.integer({ min: 0, max: 255 })
const colors: fc.Arbitrary<Color> = fc.record({ red: channel, green: channel, blue: channel })

describe("the nearest readable color", () => {
  test("is readable on the background, and is the color itself if that is readable", () => {
    fc.assert(
      fc.property(colors, colors, (color, background) => {
        const nearest = nearestReadable(color, background)
        expect(contrast(nearest, background)).toBeGreaterThanOrEqual(4.5)
        if (contrast(color, background) >= 4.5) expect(nearest).toEqual(color)
      })
    )
  })

  test("is the nearest: no shade in between is readable", () => {
    fc.assert(
      fc.property(colors, colors, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (color, background, share) => {
        const [from, to] = [lightness(color), lightness(nearestReadable(color, background))]
        const between = from + (to - from) * share
        fc.pre(Math.abs(to - from) * (1 - share) > 0.02)
        expect(contrast(withLightness(color, between), background)).toBeLessThan(4.5)
      })
    )
  })
})

test("the contrast of a brand color is that with the card of its theme", () => {
  const of = (color: string, name: "light" | "dark" = "light", layout: "plain" | null = null) =>
    colorContrast({ ...defaultAppearance, color, darkColor: color, background: "#1b1464", layout }, name)
  expect(of("#ffd400")).toMatchObject({ ratio: expect.closeTo(1.43, 2), isReadable: false })
  expect(of("#ffd400", "dark")).toMatchObject({ isReadable: true, nearest: parseColor("#ffd400") })
  expect(of("#ffd400", "light", "plain")?.isReadable).toBe(true)
  expect(of("gold")).toBeUndefined()
})

describe("the contrast of a logo", () => {
  const image = (...pixels: ReadonlyArray<readonly [Color, opacity: number]>) =>
    pixels.flatMap(([{ red, green, blue }, opacity]) => [red, green, blue, opacity])
  const clear = [BLACK, 0] as const

  test("is that of its color, whatever is transparent around", () => {
    fc.assert(
      fc.property(colors, colors, (color, background) => {
        const pixels = image(clear, [color, 255], [color, 255], clear)
        expect(logoContrast(pixels, 2, background)).toBeCloseTo(contrast(color, background), 5)
      })
    )
  })

  test("is too low if it has the color of the page", () => {
    fc.assert(
      fc.property(colors, fc.integer({ min: 32, max: 255 }), (color, opacity) => {
        expect(logoContrast(image(clear, [color, opacity], [color, opacity], clear), 2, color)).toBeLessThan(
          MIN_LOGO_CONTRAST
        )
      })
    )
  })

  test("ignores a background of its own, unless nothing else is in the image", () => {
    const box = image([WHITE, 255], [BLACK, 255], [WHITE, 255], [WHITE, 255], [BLACK, 255], [WHITE, 255])
    expect(logoContrast(box, 3, WHITE)).toBe(21)
    expect(logoContrast(image([WHITE, 255], [WHITE, 255]), 2, WHITE)).toBe(1)
  })

  test("is that of most of the logo: a small colored sign doesn't make up for white text", () => {
    const sign = parseColor("#d9518f") ?? BLACK
    expect(logoContrast(image(clear, [sign, 255], [WHITE, 255], [WHITE, 255], [WHITE, 255], clear), 6, WHITE)).toBe(1)
  })

  test("is unknown for an empty image", () => {
    expect(logoContrast(image(clear, clear), 2, WHITE)).toBeUndefined()
    expect(formatColor(nearestReadable(WHITE, WHITE))).toBe("#767676")
  })
})
