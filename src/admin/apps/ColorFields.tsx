import { colorContrast } from "#domain/BrandContrast"
import { brandPalette } from "#domain/BrandPalette"
import { brandTheme } from "#domain/BrandTheme"
import { formatColor, parseColor } from "#domain/Color"
import { plainBrand, themes } from "#domain/PageThemes"
import { useTexts } from "../texts/Language.tsx"
import { brandTexts } from "./BrandTexts.ts"
import { type BrandValues, colorsIn } from "./BrandValues.ts"
import { ColorField } from "./ColorField.tsx"
import { ContrastNote } from "./ContrastNote.tsx"
import { appTexts } from "./Texts.ts"

interface ColorFieldsProps {
  readonly values: BrandValues
  readonly set: (changed: Partial<BrandValues>) => void
}

/** The accent color of pages without a brand color, by theme. */
const plain = { light: formatColor(plainBrand.light.fill), dark: formatColor(plainBrand.dark.fill) }

/** Returns the dark theme's color that the pages derive from the light one. */
const derivedColor = (text: string): string => {
  const color = parseColor(text)
  return color === undefined ? plain.dark : formatColor(brandPalette(color, themes.dark, true).fill)
}

/** The colors of a brand, with their contrasts. */
export const ColorFields = ({ values, set }: ColorFieldsProps) => {
  const t = useTexts(appTexts)
  const words = useTexts(brandTexts)
  const colors = colorsIn(values)
  const backOf = (theme: "light" | "dark") => formatColor(brandTheme(colors, theme).back)
  return (
    <>
      <ColorField
        name="appearance.color"
        label={t.color}
        help={t.colorHelp}
        value={values.color}
        otherwise={plain.light}
        onChange={(color) => set({ color })}
      >
        <ContrastNote contrast={colorContrast(colors, "light")} onTake={(color) => set({ color })} />
      </ColorField>
      <ColorField
        name="appearance.dark_color"
        label={t.darkColor}
        help={t.darkColorHelp}
        value={values.dark_color}
        otherwise={derivedColor(values.color)}
        onChange={(dark_color) => set({ dark_color })}
      >
        <ContrastNote contrast={colorContrast(colors, "dark")} onTake={(dark_color) => set({ dark_color })} />
      </ColorField>
      <ColorField
        name="appearance.background"
        label={words.background}
        help={words.backgroundHelp}
        value={values.background}
        otherwise={backOf("light")}
        onChange={(background) => set({ background })}
      />
      <ColorField
        name="appearance.dark_background"
        label={words.darkBackground}
        help={words.darkBackgroundHelp}
        value={values.dark_background}
        otherwise={backOf("dark")}
        onChange={(dark_background) => set({ dark_background })}
      />
    </>
  )
}
