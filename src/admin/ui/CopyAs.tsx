import { Menu, MenuButton, MenuItem, MenuProvider } from "@ariakit/react"
import { Code } from "lucide-react"
import { type CapturedCall, captureCall } from "../calls/CapturedCall.ts"
import { consoleApi } from "../calls/Client.ts"
import { useScope } from "../calls/Scope.tsx"
import type { Write } from "../calls/Writes.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { copyText } from "./Copy.tsx"
import { useToast } from "./Toast.tsx"

/** Copies the call that a form would make, as a curl command or an SDK call. */
export const CopyAs = ({ write }: { readonly write: Write<unknown> }) => {
  const t = useTexts(common)
  const toast = useToast()
  const { realmId } = useScope()
  const copy = async (form: keyof CapturedCall) => {
    const captured = await captureCall(write, consoleApi(), realmId)
    await copyText(captured[form])
    toast({ text: t.copied })
  }
  return (
    <MenuProvider>
      <MenuButton className="button quiet copy-as">
        <Code aria-hidden />
        {t.copyAs}
      </MenuButton>
      <Menu gutter={4} className="menu" portal>
        <MenuItem className="menu-item" onClick={() => void copy("curl")}>
          {t.copyCurl}
        </MenuItem>
        <MenuItem className="menu-item" onClick={() => void copy("sdk")}>
          {t.copySdk}
        </MenuItem>
      </Menu>
    </MenuProvider>
  )
}
