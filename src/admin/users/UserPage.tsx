import { PageHeader } from "../ui/PageHeader.tsx"

export const UserPage = () => <PageHeader title="UserPage" />
