import { common } from "../texts/Common.ts"
import { useTexts } from "../texts/Language.tsx"

export const Spinner = () => <span className="spinner" aria-hidden />

/** What stands where something is being read. */
export const Loading = () => {
  const t = useTexts(common)
  return (
    <div className="loading" role="status">
      <Spinner />
      <span>{t.loading}</span>
    </div>
  )
}
