import { PageHeader } from "../ui/PageHeader.tsx"

export const ImportPage = () => <PageHeader title="ImportPage" />
