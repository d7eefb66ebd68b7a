import { useTexts } from "../texts/Language.tsx"
import { common } from "../texts/Wording.ts"

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
