import { PageHeader } from "../ui/PageHeader.tsx"

export const RealmsPage = () => <PageHeader title="RealmsPage" />
