import { PageHeader } from "../ui/PageHeader.tsx"

export const NewMailPage = () => <PageHeader title="NewMailPage" />
