import { PageHeader } from "../ui/PageHeader.tsx"

export const NewRealmPage = () => <PageHeader title="NewRealmPage" />
