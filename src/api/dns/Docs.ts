import { documentGroup } from "../GroupDocs.ts"
import { DnsV2 } from "./V2.ts"

const record = {
  name: "_sallyport.example.com",
  txt: ["sallyport-verification=Zq3k8WmT1vX5yB7nR2dF4hJ6pL9sC0aEuGiKoMtQwYz"]
} as const

const dns = { object: "dns", records: [{ ...record, failure: null }] } as const

export const dnsV2 = documentGroup(
  DnsV2,
  "DNS for domains, in test mode (`SALLYPORT_TEST_MODE=on`) only: the service asks no resolvers, and finds only the records that were set here. Without test mode, these endpoints return 404.",
  {
    read: { summary: "Get DNS records", response: dns },
    set: {
      summary: "Set the records of a name",
      description:
        "Sets the TXT records that the service finds for a name, or makes looking it up fail. A name with an empty `txt` exists without TXT records.",
      request: record,
      response: dns
    },
    clear: { summary: "Remove all DNS records" }
  }
)
