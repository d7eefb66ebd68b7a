import { PageHeader } from "../ui/PageHeader.tsx"

export const OrgsPage = () => <PageHeader title="OrgsPage" />
