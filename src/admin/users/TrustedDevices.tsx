import type { User } from "#client/generated/types/User"
import { useRead } from "../calls/Reads.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { browserOf } from "../timeline/Browser.ts"
import { useAct } from "../ui/Act.ts"
import { Button } from "../ui/Button.tsx"
import { Item, Items } from "../ui/Items.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { userTexts } from "./UserTexts.ts"

/** The devices in which a user skips the second factor, with a button that ends the trust in all of them. Hidden if none. */
export const TrustedDevices = ({ user }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const { may } = useSession()
  const act = useAct()
  const key = ["users", user.id, "trusted_devices"]
  const devices = useRead(key, (sdk) => sdk.users.trustedDevices(user.id)).data?.trusted_devices ?? []
  if (devices.length === 0) return null
  const end = () =>
    act({ write: (sdk) => sdk.users.untrustDevices(user.id), text: t.untrusted(user.name), changes: [key, ["events"]] })
  return (
    <Section
      title={t.trustedDevices}
      lead={t.trustedDevicesLead}
      actions={
        may("help") ? (
          <Button small onClick={() => void end()}>
            {t.untrust}
          </Button>
        ) : undefined
      }
    >
      <Items label={t.trustedDevices}>
        {devices.map(({ request, created_at, expires_at }) => (
          <Item
            key={`${created_at} ${request?.ip} ${request?.client}`}
            title={request?.client ? browserOf(request.client) : t.unknownBrowser}
            detail={
              <>
                {request?.ip ? <span>{request.ip}</span> : null}
                <span>
                  {t.begun} <Time at={created_at} isRelative />
                </span>
                <span>
                  {t.trustedUntil} <Time at={expires_at} />
                </span>
              </>
            }
          />
        ))}
      </Items>
    </Section>
  )
}
