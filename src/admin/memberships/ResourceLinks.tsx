import { ExternalLink } from "lucide-react"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"

interface Linked {
  readonly id: string
  readonly reference: string | null
}

/** Fills the values of a resource into a link's URL. Returns undefined if the result isn't a web URL. */
const addressOf = (url: string, realmId: string, { id, reference }: Linked): string | undefined => {
  const values: Readonly<Record<string, string>> = { id, reference: reference ?? "", realm_id: realmId }
  const filled = url.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    values[name] === undefined ? whole : encodeURIComponent(values[name])
  )
  const address = URL.canParse(filled) ? new URL(filled) : undefined
  return address?.protocol === "https:" || address?.protocol === "http:" ? address.href : undefined
}

/** The realm's custom links for a user or an org, as buttons. */
export const ResourceLinks = ({ resource, linked }: { readonly resource: "user" | "org"; readonly linked: Linked }) => {
  const realmId = useRealmId()
  const realm = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  return realm.data?.resource_links
    .filter((link) => link.resource === resource)
    .map(({ title, url }) => {
      const address = addressOf(url, realmId, linked)
      return address === undefined ? null : (
        <a key={title + url} className="button" href={address} target="_blank" rel="noreferrer">
          {title}
          <ExternalLink aria-hidden />
        </a>
      )
    })
}
