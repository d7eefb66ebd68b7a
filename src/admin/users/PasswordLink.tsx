import { useState } from "react"
import type { User } from "#client/generated/types/User"
import type { Sallyport } from "#client/Sallyport"
import { hostedLink } from "../calls/HostedLink.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Form } from "../ui/Form.tsx"
import { signInTexts } from "./SignInTexts.ts"

/** Creates a password link on the pages of the realm's oldest app. Returns only the token if the realm has no app. */
export const makePasswordLink = async (sdk: Sallyport, userId: string): Promise<string> => {
  const { token } = await sdk.logins.generatePasswordToken(userId)
  return (await hostedLink(sdk, "reset", token)) ?? token
}

/** Shows a password link once. */
export const PasswordLinkShown = ({ link, onClose }: { readonly link: string; readonly onClose: () => void }) => {
  const t = useTexts(signInTexts)
  const c = useTexts(common)
  const isLink = /^https?:/.test(link)
  return (
    <Dialog title={t.linkTitle} isPersistent onClose={onClose}>
      <p className="note waiting">{isLink ? t.linkOnce : t.tokenOnce}</p>
      <CodeBlock text={link} label={t.linkTitle} />
      <footer className="form-footer">
        <Button kind="primary" onClick={onClose}>
          {c.close}
        </Button>
      </footer>
    </Dialog>
  )
}

/** Creates a password link for a user. */
export const PasswordLinkDialog = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const t = useTexts(signInTexts)
  const [link, setLink] = useState<string>()
  if (link !== undefined) return <PasswordLinkShown link={link} onClose={onClose} />
  return (
    <Dialog title={t.passwordLink} onClose={onClose}>
      <Form
        draft={null}
        write={(sdk) => makePasswordLink(sdk, user.id)}
        submit={t.makeLink}
        changes={[["events"]]}
        onCancel={onClose}
        onDone={setLink}
      >
        <p>{t.linkText(user.name)}</p>
      </Form>
    </Dialog>
  )
}
