import { LOST_AFTER_DAYS } from "#domain/DomainProof"
import { documentGroup, page } from "../GroupDocs.ts"
import { org, user } from "../memberships/Samples.ts"
import { DomainsV2 } from "./V2.ts"

const domain = {
  id: "dom_01m7y8xz0c4e6g8j1k3m5p7r9t",
  object: "domain",
  realm_id: user.realm_id,
  org_id: org.id,
  domain: "example.com",
  state: "pending",
  txt: {
    name: "_sallyport.example.com",
    value: "sallyport-verification=Zq3k8WmT1vX5yB7nR2dF4hJ6pL9sC0aEuGiKoMtQwYz"
  },
  created_at: 1_795_238_591.2,
  verified_at: null,
  checked_at: 1_795_238_650.7,
  next_check_at: null,
  missed_since: null,
  problem: {
    code: "nxdomain",
    message: "The name _sallyport.example.com does not exist in DNS. Create the TXT record, then check again.",
    found: []
  }
} as const

const verified = {
  ...domain,
  state: "verified",
  verified_at: 1_795_240_012.3,
  checked_at: 1_795_240_012.3,
  next_check_at: 1_795_326_412.3,
  problem: null
} as const

export const domainsV2 = documentGroup(
  DomainsV2,
  `Email domains of orgs. An org proves a domain with a TXT record. The record is checked daily, and a domain without it is lost after ${LOST_AFTER_DAYS} days. One org at a time owns a domain: another org can prove it only when the first org's record is gone. Events: \`domain.verified\`, \`domain.check_failed\` when a check of a verified domain fails after it succeeded, \`domain.recovered\` when it succeeds again, and \`domain.lost\`.`,
  {
    list: { summary: "List domains", response: page(domain) },
    get: { summary: "Get a domain", response: domain },
    create: {
      summary: "Add a domain",
      description:
        "Adds a domain to an org, which then has to create the record in `txt`. Public suffixes such as `co.uk` and the domains of free mailboxes such as `gmail.com` are rejected. Several orgs can add the same domain, but only one can prove it. Event: `domain.created`.",
      request: { domain: { org_id: org.id, domain: "example.com" } },
      response: { ...domain, checked_at: null, problem: null }
    },
    verify: {
      summary: "Check a domain now",
      description:
        "Looks up the record with all DNS resolvers (`SALLYPORT_DNS_RESOLVERS`), which takes up to 8 seconds, and returns the domain. If the record is not found, the response is still 200, with `problem`. Rate-limited by `domain_checks`. Event if something changed: `domain.verified`, or those of the daily check.",
      request: {},
      response: verified
    },
    delete: {
      summary: "Remove a domain",
      description: "Another org can then prove the domain. Event: `domain.deleted`."
    }
  },
  {
    org_id: { description: "Return only domains of this org. Default: all." },
    state: { description: "Return only domains in this state. Default: all." },
    domain_id: { description: "The domain's ID." }
  }
)
