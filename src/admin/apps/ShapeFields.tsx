import { brandFonts, brandLayouts, brandRadii } from "#domain/BrandFont"
import { useTexts } from "../texts/Language.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Select } from "../ui/Fields.tsx"
import { brandTexts } from "./BrandTexts.ts"
import type { BrandValues } from "./BrandValues.ts"

interface ShapeFieldsProps {
  readonly values: BrandValues
  readonly set: (changed: Partial<BrandValues>) => void
}

const oneOf = <V extends string>(values: ReadonlyArray<V>, value: string, otherwise: V): V =>
  values.find((one) => one === value) ?? otherwise

/** The font, the corners and the layout of a brand. */
export const ShapeFields = ({ values, set }: ShapeFieldsProps) => {
  const t = useTexts(brandTexts)
  return (
    <>
      <Select
        name="appearance.font"
        label={t.font}
        help={t.fontHelp}
        options={brandFonts.map((value) => ({ value, text: t.fonts[value] }))}
        value={oneOf(brandFonts, values.font, "system")}
        onChange={(font) => set({ font })}
      />
      <div className="field">
        <p className="label">{t.radius}</p>
        <Choice
          label={t.radius}
          options={t.radii}
          values={brandRadii}
          value={oneOf(brandRadii, values.radius, "medium")}
          onChange={(radius) => set({ radius })}
        />
      </div>
      <div className="field">
        <p className="label">{t.layout}</p>
        <Choice
          label={t.layout}
          options={t.layouts}
          values={brandLayouts}
          value={oneOf(brandLayouts, values.layout, "card")}
          onChange={(layout) => set({ layout })}
        />
        <p className="field-help">{t.layoutHelp}</p>
      </div>
    </>
  )
}
