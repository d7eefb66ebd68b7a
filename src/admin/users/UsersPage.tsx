import { PageHeader } from "../ui/PageHeader.tsx"

export const UsersPage = () => <PageHeader title="UsersPage" />
