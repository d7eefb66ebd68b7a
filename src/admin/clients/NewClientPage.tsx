import { PageHeader } from "../ui/PageHeader.tsx"

export const NewClientPage = () => <PageHeader title="NewClientPage" />
