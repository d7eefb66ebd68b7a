import { PageHeader } from "../ui/PageHeader.tsx"

export const SettingsPage = () => <PageHeader title="SettingsPage" />
