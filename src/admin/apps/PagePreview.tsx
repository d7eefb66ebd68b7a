import { useEffect, useRef, useState } from "react"
import type { ConnectedAppInput } from "#client/generated/types/ConnectedAppInput"
import { realmMails } from "#domain/DefaultMail"
import { locales } from "#domain/Locale"
import { previewedPages } from "#domain/PreviewedPage"
import { type PageLook, previewPage } from "../calls/PagePreview.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { common } from "../texts/CommonTexts.ts"
import { languages, useLanguage, useTexts } from "../texts/Language.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PreviewFrame } from "../ui/PreviewFrame.tsx"
import { Section } from "../ui/Section.tsx"
import { brandTexts } from "./BrandTexts.ts"
import { appTexts } from "./Texts.ts"

/** How long to wait after the last change before refreshing the preview, in milliseconds. */
const DEBOUNCE_MS = 150

const sizes = { phone: { width: 390, height: 760 }, desktop: { width: 1080, height: 900 } } as const

const shownPages = [...previewedPages, ...realmMails]

type Size = keyof typeof sizes

interface PagePreviewProps {
  readonly appId: string
  /** The unsaved settings. */
  readonly draft: ConnectedAppInput
}

/** A preview of an app's pages with unsaved settings. */
export const PagePreview = ({ appId, draft }: PagePreviewProps) => {
  const t = useTexts(appTexts)
  const words = useTexts(common)
  const brand = useTexts(brandTexts)
  const realmId = useRealmId()
  const { language } = useLanguage()
  const [look, setLook] = useState<PageLook>({ page: "login", theme: "light", locale: language })
  const [size, setSize] = useState<Size>("phone")
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
          aria-label={brand.shown}
          value={look.page}
          onChange={(event) => {
            const page = shownPages.find((one) => one === event.target.value)
            if (page !== undefined) set({ page })
          }}
        >
          <optgroup label={brand.pagesGroup}>
            {previewedPages.map((page) => (
              <option key={page} value={page}>
                {brand.pages[page]}
              </option>
            ))}
          </optgroup>
          <optgroup label={brand.emailsGroup}>
            {realmMails.map((mail) => (
              <option key={mail} value={mail}>
                {brand.mails[mail]}
              </option>
            ))}
          </optgroup>
        </select>
        <Choice
          label={t.theme}
          options={t.themes}
          values={["light", "dark"]}
          value={look.theme}
          onChange={(theme) => set({ theme })}
        />
        <Choice
          label={t.language}
          options={languages}
          values={locales}
          value={look.locale}
          onChange={(locale) => set({ locale })}
        />
        <Choice label={t.width} options={t.widths} values={["phone", "desktop"]} value={size} onChange={setSize} />
      </div>
      {hasFailed ? <p className="field-problem">{words.unexpectedProblem}</p> : null}
      {html === undefined ? <Loading /> : <PreviewFrame title={t.preview} html={html} {...sizes[size]} />}
    </Section>
  )
}
