import { PageHeader } from "../ui/PageHeader.tsx"

export const OrgPage = () => <PageHeader title="OrgPage" />
