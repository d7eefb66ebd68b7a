import { PageHeader } from "../ui/PageHeader.tsx"

export const ClientsPage = () => <PageHeader title="ClientsPage" />
