import { useApps } from "../apps/Apps.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Code } from "../ui/Copy.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { providerTexts } from "./Texts.ts"

/** The callback URLs to register with a provider. */
export const Callbacks = ({ providerId }: { readonly providerId: string }) => {
  const t = useTexts(providerTexts)
  const { session } = useSession()
  const { items } = useApps("apps")
  const urlOf = (subdomain: string) =>
    `${session.service.login_url.replace("{subdomain}", subdomain)}/auth/${providerId}/callback`
  return (
    <Section title={t.callback} lead={items?.length === 0 ? t.callbackNone : t.callbackText}>
      <Facts
        facts={(items ?? []).map(({ id, name, subdomain }) => [
          name,
          subdomain === null ? undefined : <Code key={id} text={urlOf(subdomain)} label={name} />
        ])}
      />
    </Section>
  )
}
