import { useState } from "react"
import { useLocation } from "wouter"
import { nonBlankLines, orNull } from "../calls/Changes.ts"
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

/** The form to create a connected app. */
export const NewAppPage = () => {
  const t = useTexts(appTexts)
  const realmId = useRealmId()
  const { session } = useSession()
  const [, navigate] = useLocation()
  const [name, setName] = useState("")
  const [subdomain, setSubdomain] = useState("")
  const [handler, setHandler] = useState("")
  const [redirects, setRedirects] = useState<ReadonlyArray<string>>([])
  const host = subdomain.trim() === "" ? subdomainFor(name) : subdomain.trim().toLowerCase()
  const list = pathIn(realmId, "apps")
  return (
    <>
      <PageHeader title={t.newTitle} above={[{ text: t.title, to: list }]} />
      <section className="section">
        <Form
          submit={t.create}
          isDirty={name !== ""}
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
          <TextField name="name" label={t.name} value={name} onChange={setName} />
          <TextField
            name="subdomain"
            label={t.subdomain}
            help={t.subdomainNewHelp(`${session.service.login_url.replace("{subdomain}", host)}/login`)}
            isOptional
            isCode
            value={subdomain}
            onChange={setSubdomain}
          />
          <TextField
            name="login_handler"
            type="url"
            label={t.loginHandler}
            help={t.loginHandlerHelp}
            isOptional
            placeholder="https://app.example.com/in"
            value={handler}
            onChange={setHandler}
          />
          <Lines
            name="redirect_uris"
            label={t.redirectUris}
            help={t.redirectUrisHelp}
            isOptional
            value={redirects}
            onChange={setRedirects}
          />
        </Form>
      </section>
    </>
  )
}
