import { PageHeader } from "../ui/PageHeader.tsx"

export const ProviderPage = () => <PageHeader title="ProviderPage" />
