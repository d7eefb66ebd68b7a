import { PageHeader } from "../ui/PageHeader.tsx"

export const HookPage = () => <PageHeader title="HookPage" />
