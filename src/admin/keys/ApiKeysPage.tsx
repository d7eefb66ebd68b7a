import { PageHeader } from "../ui/PageHeader.tsx"

export const ApiKeysPage = () => <PageHeader title="ApiKeysPage" />
