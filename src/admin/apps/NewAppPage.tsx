import { PageHeader } from "../ui/PageHeader.tsx"

export const NewAppPage = () => <PageHeader title="NewAppPage" />
