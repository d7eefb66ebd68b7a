import type { ColorContrast } from "#domain/BrandContrast"
import { formatColor } from "#domain/Color"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { brandTexts } from "./BrandTexts.ts"

/** A contrast as designers write it: `4.5:1`. */
export const useRatio = () => {
  const { language } = useLanguage()
  // Rounded down, so that no contrast below a limit looks as if it reached the limit.
  return (ratio: number) => `${(Math.floor(ratio * 10) / 10).toLocaleString(language)}:1`
}

interface ContrastNoteProps {
  readonly contrast: ColorContrast | undefined
  readonly onTake: (color: string) => void
}

/** The contrast of a brand color. If it is too low for text, offers the nearest color that is readable. */
export const ContrastNote = ({ contrast, onTake }: ContrastNoteProps) => {
  const t = useTexts(brandTexts)
  const ratioText = useRatio()
  if (contrast === undefined) return null
  const { ratio, isReadable, nearest } = contrast
  if (isReadable) return <p className="contrast good">{t.readable(ratioText(ratio))}</p>
  const color = formatColor(nearest)
  return (
    <div className="contrast note waiting" role="status">
      <p>{t.unreadable(ratioText(ratio))}</p>
      <Button small onClick={() => onTake(color)}>
        <span className="swatch" style={{ background: color }} aria-hidden /> {t.take(color)}
      </Button>
    </div>
  )
}
