import { PageHeader } from "../ui/PageHeader.tsx"

export const HooksPage = () => <PageHeader title="HooksPage" />
