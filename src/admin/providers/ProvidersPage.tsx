import { PageHeader } from "../ui/PageHeader.tsx"

export const ProvidersPage = () => <PageHeader title="ProvidersPage" />
