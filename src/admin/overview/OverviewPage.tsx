import { PageHeader } from "../ui/PageHeader.tsx"

export const OverviewPage = () => <PageHeader title="OverviewPage" />
