import { PageHeader } from "../ui/PageHeader.tsx"

export const AppearancePage = () => <PageHeader title="AppearancePage" />
