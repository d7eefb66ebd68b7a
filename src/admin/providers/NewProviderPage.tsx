import { PageHeader } from "../ui/PageHeader.tsx"

export const NewProviderPage = () => <PageHeader title="NewProviderPage" />
