import { useEffect, useState } from "react"
import { logoContrast, MIN_LOGO_CONTRAST } from "#domain/BrandContrast"
import { type BrandColors, brandTheme } from "#domain/BrandTheme"
import { formatColor } from "#domain/Color"
import { useTexts } from "../texts/Language.tsx"
import { brandTexts } from "./BrandTexts.ts"
import { useRatio } from "./ContrastNote.tsx"
import { logoPixels } from "./LogoPixels.ts"

interface LogoNoteProps {
  /** The logo as a data URL, or undefined if there is none. */
  readonly logo: string | undefined
  readonly brand: BrandColors
  /** The themes in which the logo is shown. */
  readonly shownIn: ReadonlyArray<"light" | "dark">
}

/** Warns if most of a logo can't be seen on the page's background. */
export const LogoNote = ({ logo, brand, shownIn }: LogoNoteProps) => {
  const t = useTexts(brandTexts)
  const ratioText = useRatio()
  const [pixels, setPixels] = useState<ImageData | undefined>()
  useEffect(() => {
    let isCurrent = true
    setPixels(undefined)
    if (logo !== undefined) void logoPixels(logo).then((read) => (isCurrent ? setPixels(read) : undefined))
    return () => {
      isCurrent = false
    }
  }, [logo])
  if (pixels === undefined) return null
  return shownIn.map((theme) => {
    const { back } = brandTheme(brand, theme)
    const ratio = logoContrast(pixels.data, pixels.width, back)
    return ratio === undefined || ratio >= MIN_LOGO_CONTRAST ? null : (
      <p key={theme} className="contrast note waiting" role="status">
        {t.hidden[theme](ratioText(ratio), formatColor(back))}
      </p>
    )
  })
}
