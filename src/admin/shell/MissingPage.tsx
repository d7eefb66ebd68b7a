import { useTexts } from "../texts/Language.tsx"
import { common } from "../texts/Wording.ts"
import { PageHeader } from "../ui/PageHeader.tsx"

/** What stands at an address that leads nowhere, or to something that has been deleted. */
export const MissingPage = () => {
  const t = useTexts(common)
  return <PageHeader title={t.notFound} lead={t.notFoundText} />
}
