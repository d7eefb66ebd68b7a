import { PageHeader } from "../ui/PageHeader.tsx"

export const LimitsPage = () => <PageHeader title="LimitsPage" />
