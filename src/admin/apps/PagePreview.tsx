import { useEffect, useRef, useState } from "react"
import type { ConnectedAppInput } from "#client/generated/types/ConnectedAppInput"
import { realmMails } from "#domain/DefaultMail"
import { locales } from "#domain/Locale"
import { previewedPages, previewGroups } from "#domain/PreviewedPage"
import { type PageLook, previewPage } from "../calls/PagePreview.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { common } from "../texts/CommonTexts.ts"
import { languages, useLanguage, useTexts } from "../texts/Language.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Loading } from "../ui/Loading.tsx"
import { type Look, LookChoice } from "../ui/Look.tsx"
import { PreviewFrame } from "../ui/PreviewFrame.tsx"
import { Section } from "../ui/Section.tsx"
import { previewTexts } from "./PreviewTexts.ts"
import { appTexts } from "./Texts.ts"

/** How long to wait after the last change before refreshing the preview, in milliseconds. */
const DEBOUNCE_MS = 150

const sizes = { phone: { width: 390, height: 760 }, desktop: { width: 1080, height: 900 } } as const

const shownPages = [...previewedPages, ...realmMails]

interface PagePreviewProps {
  readonly appId: string
  /** The unsaved settings. */
  readonly draft: ConnectedAppInput
}

/** A preview of an app's pages with unsaved settings. */
export const PagePreview = ({ appId, draft }: PagePreviewProps) => {
  const t = useTexts(appTexts)
  const words = useTexts(common)
  const names = useTexts(previewTexts)
  const realmId = useRealmId()
  const { language } = useLanguage()
  const [look, setLook] = useState<PageLook>({ page: "login", theme: "light", locale: language })
  const [width, setWidth] = useState<Look["width"]>("phone")
  const [html, setHtml] = useState<string | undefined>()
  const [hasFailed, setFailed] = useState(false)
  const asked = JSON.stringify({ look, draft })
  const latest = useRef({ look, draft })
  latest.current = { look, draft }

  // The draft is a new object on each render, so it is compared as text.
  useEffect(() => {
    if (asked === "") return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      previewPage({ realmId, appId, draft: latest.current.draft, ...latest.current.look }, abort.signal).then(
        (made) => {
          setFailed(made === undefined)
          if (made !== undefined) setHtml(made)
        },
        () => {
          if (!abort.signal.aborted) setFailed(true)
        }
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [asked, realmId, appId])

  const set = (changed: Partial<PageLook>) => setLook((before) => ({ ...before, ...changed }))
  return (
    <Section title={t.preview} lead={t.previewLead}>
      <div className="preview-looks">
        <select
          aria-label={names.shown}
          value={look.page}
          onChange={(event) => {
            const page = shownPages.find((one) => one === event.target.value)
            if (page !== undefined) set({ page })
          }}
        >
          {previewGroups.map(({ name, pages }) => (
            <optgroup key={name} label={names.groups[name]}>
              {pages.map((page) => (
                <option key={page} value={page}>
                  {names.pages[page]}
                </option>
              ))}
            </optgroup>
          ))}
          <optgroup label={names.emails}>
            {realmMails.map((mail) => (
              <option key={mail} value={mail}>
                {names.mails[mail]}
              </option>
            ))}
          </optgroup>
        </select>
        <Choice
          label={t.language}
          options={languages}
          values={locales}
          value={look.locale}
          onChange={(locale) => set({ locale })}
        />
        <LookChoice
          look={{ theme: look.theme, width }}
          onChange={({ theme, width }) => {
            set({ theme })
            setWidth(width)
          }}
        />
      </div>
      {hasFailed ? <p className="field-problem">{words.unexpectedProblem}</p> : null}
      {html === undefined ? <Loading /> : <PreviewFrame title={t.preview} html={html} {...sizes[width]} />}
    </Section>
  )
}
