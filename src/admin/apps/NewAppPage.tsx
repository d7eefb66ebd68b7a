import { useLocation } from "wouter"
import { nonBlankLines, orNull } from "../calls/Changes.ts"
import { useDraft } from "../calls/Draft.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Lines, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { appTexts } from "./Texts.ts"

/** Approximates the subdomain that the service will derive from a name. */
const subdomainFor = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "…"

interface NewApp {
  readonly name: string
  readonly subdomain: string
  readonly login_handler: string
  readonly redirect_uris: ReadonlyArray<string>
}

const initial: NewApp = { name: "", subdomain: "", login_handler: "", redirect_uris: [] }

/** The form to create a connected app. */
export const NewAppPage = () => {
  const t = useTexts(appTexts)
  const realmId = useRealmId()
  const { session } = useSession()
  const [, navigate] = useLocation()
  const draft = useDraft("new", initial)
  const { name, subdomain, login_handler: handler, redirect_uris: redirects } = draft.values
  const host = subdomain.trim() === "" ? subdomainFor(name) : subdomain.trim().toLowerCase()
  const list = pathIn(realmId, "apps")
  return (
    <>
      <PageHeader title={t.newTitle} above={[{ text: t.title, to: list }]} />
      <section className="section">
        <Form
          submit={t.create}
          draft={draft}
          changes={[["client_apps"]]}
          write={(sdk) =>
            sdk.clientApps.create({
              name,
              ...(orNull(subdomain) === null ? {} : { subdomain }),
              ...(orNull(handler) === null ? {} : { login_handler: handler.trim() }),
              ...(nonBlankLines(redirects).length === 0 ? {} : { redirect_uris: nonBlankLines(redirects) })
            })
          }
          onDone={({ id }) => navigate(pathIn(realmId, "apps", id, "appearance"))}
          onCancel={() => navigate(list)}
        >
          <TextField name="name" label={t.name} value={name} onChange={(text) => draft.set({ name: text })} />
          <TextField
            name="subdomain"
            label={t.subdomain}
            help={t.subdomainNewHelp(`${session.service.login_url.replace("{subdomain}", host)}/login`)}
            isOptional
            isCode
            value={subdomain}
            onChange={(text) => draft.set({ subdomain: text })}
          />
          <TextField
            name="login_handler"
            type="url"
            label={t.loginHandler}
            help={t.loginHandlerHelp}
            isOptional
            placeholder="https://app.example.com/in"
            value={handler}
            onChange={(text) => draft.set({ login_handler: text })}
          />
          <Lines
            name="redirect_uris"
            label={t.redirectUris}
            help={t.redirectUrisHelp}
            isOptional
            value={redirects}
            onChange={(redirect_uris) => draft.set({ redirect_uris })}
          />
        </Form>
      </section>
    </>
  )
}
