import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { isMailEvent, type MailHook } from "./MailEvents.ts"
import { mailTexts } from "./Texts.ts"

/** Matches the variables of a text. */
const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g

/** Returns a function that fills in the realm's and the app's name in a subject. Other variables differ in each email. */
const useNamed = () => {
  const realmId = useRealmId()
  const { data: realm } = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const { data: app } = useRead(["client_apps", "oldest"], async (sdk) => {
    const [oldest] = (await sdk.clientApps.list({ max_results: 1, direction: "asc" })).items
    return oldest === undefined ? null : await sdk.clientApps.get(oldest.id)
  })
  return (text: string) => {
    if (realm === undefined) return text
    const names = new Map([
      ["app_name", app?.appearance?.name ?? realm.name],
      ["realm_name", realm.name]
    ])
    return text.replaceAll(VARIABLE, (variable, name: string) => names.get(name) ?? variable)
  }
}

/** Returns a function that titles an email: its subject, or if that differs in each email, what the email is about. */
export const useMailTitle = () => {
  const t = useTexts(mailTexts)
  const named = useNamed()
  return ({ event_type: [type], email_subject }: Pick<MailHook, "event_type" | "email_subject">): string => {
    const subject = named(email_subject ?? "")
    if (subject !== "" && subject.search(VARIABLE) < 0) return subject
    return isMailEvent(type) ? t.titles[type] : (type ?? "")
  }
}
