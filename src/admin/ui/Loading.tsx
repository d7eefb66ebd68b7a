import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"

export const Spinner = () => <span className="spinner" aria-hidden />

/** The loading indicator. */
export const Loading = () => {
  const t = useTexts(common)
  return (
    <div className="loading" role="status">
      <Spinner />
      <span>{t.loading}</span>
    </div>
  )
}
