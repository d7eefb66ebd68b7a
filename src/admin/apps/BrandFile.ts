import type { Brand } from "#client/generated/types/Brand"
import { type BrandValues, logoNames, textsOf } from "./BrandValues.ts"

/** The maximum size of a brand's file: four logos, and a header and footer of the maximum length. */
export const MAX_BRAND_BYTES = 800_000

const isText = (value: unknown): value is string | null => value === null || typeof value === "string"

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const appearanceNames = [
  "name",
  "color",
  "dark_color",
  "background",
  "dark_background",
  "font",
  "radius",
  "layout"
] as const

const textNames = ["header", "footer", "external_css"] as const

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A brand as form values. Missing members, and members that are not text, are null. The API checks the values when they are saved. */
const brandValues = (file: unknown): BrandValues => {
  const appearance = memberOf(file, "appearance")
  const textIn = (value: unknown) => (isText(value) ? value : null)
  const texts = textsOf({
    appearance: {
      name: textIn(memberOf(appearance, "name")),
      color: textIn(memberOf(appearance, "color")),
      dark_color: textIn(memberOf(appearance, "dark_color")),
      background: textIn(memberOf(appearance, "background")),
      dark_background: textIn(memberOf(appearance, "dark_background")),
      font: textIn(memberOf(appearance, "font")),
      radius: textIn(memberOf(appearance, "radius")),
      layout: textIn(memberOf(appearance, "layout"))
    },
    header: textIn(memberOf(file, "header")),
    footer: textIn(memberOf(file, "footer")),
    external_css: textIn(memberOf(file, "external_css"))
  })
  const logos = Object.fromEntries(logoNames.map((name) => [name, textIn(memberOf(appearance, name))]))
  return { ...texts, ...logos }
}

/** Reads a brand's file. Returns undefined if the text is not a brand. */
export const brandIn = (text: string): BrandValues | undefined => {
  const file = parse(text)
  const appearance = memberOf(file, "appearance")
  if (memberOf(file, "object") !== "brand" || typeof appearance !== "object" || appearance === null) return undefined
  const texts = [
    ...textNames.map((name) => memberOf(file, name)),
    ...[...appearanceNames, ...logoNames].map((name) => memberOf(appearance, name))
  ]
  return texts.every((value) => value === undefined || isText(value)) ? brandValues(file) : undefined
}

/** The text of a brand's file. */
export const brandFile = (brand: Brand): string => `${JSON.stringify(brand, null, 2)}\n`
