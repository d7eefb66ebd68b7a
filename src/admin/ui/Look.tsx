import type { ThemeName } from "#domain/PageThemes"
import { catalogue, useTexts } from "../texts/Language.tsx"
import { Choice } from "./Choice.tsx"

const lookTexts = catalogue({
  en: {
    theme: "Theme",
    themes: { light: "Light", dark: "Dark" },
    width: "Width",
    widths: { phone: "Phone", desktop: "Desktop" }
  },
  es: {
    theme: "Tema",
    themes: { light: "Claro", dark: "Oscuro" },
    width: "Ancho",
    widths: { phone: "Teléfono", desktop: "Ordenador" }
  }
})

/** How a preview is shown: the theme, and the device whose width the document has. */
export interface Look {
  readonly theme: ThemeName
  readonly width: "phone" | "desktop"
}

interface LookChoiceProps {
  readonly look: Look
  readonly onChange: (look: Look) => void
}

/** The choice of theme and width above a preview. */
export const LookChoice = ({ look, onChange }: LookChoiceProps) => {
  const t = useTexts(lookTexts)
  return (
    <>
      <Choice
        label={t.theme}
        options={t.themes}
        values={["light", "dark"]}
        value={look.theme}
        onChange={(theme) => onChange({ ...look, theme })}
      />
      <Choice
        label={t.width}
        options={t.widths}
        values={["phone", "desktop"]}
        value={look.width}
        onChange={(width) => onChange({ ...look, width })}
      />
    </>
  )
}
