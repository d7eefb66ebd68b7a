import { MAX_TOTAL } from "#domain/Page"
import { useLanguage } from "../texts/Language.tsx"

/** Formats the number of items in a list: "2,000", or "10,000+" if not all were counted. */
export const useCount = (total: number | undefined): string | undefined => {
  const { language } = useLanguage()
  if (total === undefined) return undefined
  return total.toLocaleString(language) + (total >= MAX_TOTAL ? "+" : "")
}
