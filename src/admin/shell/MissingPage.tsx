import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"

/** The page for unknown addresses and deleted resources. */
export const MissingPage = () => {
  const t = useTexts(common)
  return <PageHeader title={t.notFound} lead={t.notFoundText} />
}
