import { PageHeader } from "../ui/PageHeader.tsx"

export const NewUserPage = () => <PageHeader title="NewUserPage" />
