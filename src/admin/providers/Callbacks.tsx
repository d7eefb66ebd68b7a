import { useApps } from "../apps/Apps.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Code } from "../ui/Copy.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { providerTexts } from "./Texts.ts"

/** The callback URLs to register with a provider. `name`: the provider's ID or type, as in its callback URLs. */
export const Callbacks = ({ name: provider }: { readonly name: string }) => {
  const t = useTexts(providerTexts)
  const realmId = useRealmId()
  const { session } = useSession()
  const { items } = useApps("apps")
  const hasNone = items?.length === 0
  const urlOf = (subdomain: string) =>
    `${session.service.login_url.replace("{subdomain}", subdomain)}/auth/${provider}/callback`
  return (
    <Section
      title={t.callback}
      lead={hasNone ? t.callbackNone : t.callbackText}
      actions={hasNone ? <ButtonLink to={pathIn(realmId, "apps", "new")}>{t.callbackAddApp}</ButtonLink> : undefined}
    >
      {hasNone ? null : (
        <Facts
          facts={(items ?? []).map(({ id, name, subdomain }) => [
            name,
            subdomain === null ? undefined : <Code key={id} text={urlOf(subdomain)} label={name} />
          ])}
        />
      )}
    </Section>
  )
}
