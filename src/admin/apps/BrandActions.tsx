import { useRef, useState } from "react"
import type { Brand } from "#client/generated/types/Brand"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { download } from "../ui/Download.ts"
import { useToast } from "../ui/Toast.tsx"
import { brandFile, brandIn, MAX_BRAND_BYTES } from "./BrandFile.ts"
import { brandTexts } from "./BrandTexts.ts"
import type { BrandValues } from "./BrandValues.ts"

interface BrandActionsProps {
  readonly app: ConnectedApp
  /** The saved brand with its logos, or undefined while it is loading. */
  readonly brand: Brand | undefined
  readonly isEditor: boolean
  readonly onImport: (values: BrandValues) => void
}

/** Exports the saved brand to a file, or fills the form from one. */
export const BrandActions = ({ app, brand, isEditor, onImport }: BrandActionsProps) => {
  const t = useTexts(brandTexts)
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const [isRejected, setRejected] = useState(false)
  const read = async (file: File | undefined) => {
    if (input.current !== null) input.current.value = ""
    if (file === undefined) return
    const values = file.size > MAX_BRAND_BYTES ? undefined : brandIn(await file.text())
    setRejected(values === undefined)
    if (values === undefined) return
    onImport(values)
    toast({ text: t.imported })
  }
  return (
    <>
      <Button
        small
        disabled={brand === undefined}
        onClick={() => {
          if (brand !== undefined)
            download(`${app.subdomain ?? app.id}-brand.json`, "application/json", [brandFile(brand)])
        }}
      >
        {t.export}
      </Button>
      {isEditor ? (
        <>
          <input
            ref={input}
            type="file"
            accept="application/json,.json"
            aria-label={t.importFile}
            hidden
            onChange={(event) => void read(event.target.files?.[0])}
          />
          <Button small onClick={() => input.current?.click()}>
            {t.import}
          </Button>
          {isRejected ? (
            <p className="field-problem" role="alert">
              {t.noBrand}
            </p>
          ) : null}
        </>
      ) : null}
    </>
  )
}
