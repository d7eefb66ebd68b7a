import { PageHeader } from "../ui/PageHeader.tsx"

export const AppsPage = () => <PageHeader title="AppsPage" />
