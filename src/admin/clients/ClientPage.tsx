import { PageHeader } from "../ui/PageHeader.tsx"

export const ClientPage = () => <PageHeader title="ClientPage" />
