import { PageHeader } from "../ui/PageHeader.tsx"

export const NewOrgPage = () => <PageHeader title="NewOrgPage" />
