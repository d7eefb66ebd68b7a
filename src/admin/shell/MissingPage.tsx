import { useTexts } from "../texts/Language.tsx"
import { common } from "../texts/Wording.ts"
import { PageHeader } from "../ui/PageHeader.tsx"

/** The page for unknown addresses and deleted resources. */
export const MissingPage = () => {
  const t = useTexts(common)
  return <PageHeader title={t.notFound} lead={t.notFoundText} />
}
