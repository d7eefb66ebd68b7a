import { PageHeader } from "../ui/PageHeader.tsx"

export const AppPage = () => <PageHeader title="AppPage" />
