import { PageHeader } from "../ui/PageHeader.tsx"

export const NewHookPage = () => <PageHeader title="NewHookPage" />
