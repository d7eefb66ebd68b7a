// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { Domain } from "../types/Domain.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/domains`. */
export interface ListDomains {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by. Default: `id`. */
  readonly sort?: "id" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Return only domains of this org. Default: all. */
  readonly org_id?: string | undefined
  /** Return only domains in this state. Default: all. */
  readonly state?: "pending" | "verified" | "lost" | undefined
}

/** The parameters of `POST /v2/domains`. */
export interface CreateDomain {
  /** The ID of the org, which must not be closed. */
  readonly org_id: string
  /** The domain of email addresses, such as `example.com`, in any case and script. Subdomains are separate domains. */
  readonly domain: string
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/domains/{domain_id}/verify`. */
export interface VerifyDomain {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/**
 * Email domains of orgs. An org proves a domain with a TXT record. The record is checked daily, and a domain without it
 * is lost after 7 days. One org at a time owns a domain: another org can prove it only when the first org's record is
 * gone. Events: `domain.verified`, `domain.check_failed` when a check of a verified domain fails after it succeeded,
 * `domain.recovered` when it succeeds again, and `domain.lost`.
 */
export interface Domains<F extends Form> {
  /**
   * List domains.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListDomains, options?: CallOptions): Listed<F, Domain>
  /**
   * Add a domain.
   *
   * Adds a domain to an org, which then has to create the record in `txt`. Public suffixes such as `co.uk` and the
   * domains of free mailboxes such as `gmail.com` are rejected. Several orgs can add the same domain, but only one can
   * prove it. Event: `domain.created`.
   *
   * Requires an API key of level `admin_realm`.
   */
  create(domain: CreateDomain, options?: CallOptions): Answer<F, Domain>
  /**
   * Get a domain.
   *
   * Requires an API key of level `read`.
   */
  get(domainId: string, options?: CallOptions): Answer<F, Domain>
  /**
   * Remove a domain.
   *
   * Another org can then prove the domain. Event: `domain.deleted`.
   *
   * Requires an API key of level `admin_realm`.
   */
  delete(domainId: string, options?: CallOptions): Answer<F, void>
  /**
   * Check a domain now.
   *
   * Looks up the record with all DNS resolvers (`SALLYPORT_DNS_RESOLVERS`), which takes up to 8 seconds, and returns
   * the domain. If the record is not found, the response is still 200, with `problem`. Rate-limited by `domain_checks`.
   * Event if something changed: `domain.verified`, or those of the daily check.
   *
   * Requires an API key of level `admin_realm`.
   */
  verify(domainId: string, body?: VerifyDomain, options?: CallOptions): Answer<F, Domain>
}

/** Creates the resource's functions from a function that calls the API. */
export const domains = <F extends Form>(call: Call<F>): Domains<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/domains" }, [], query, options),
  create: (domain, options) =>
    call.one({ route: "POST /v2/domains", wrapper: "domain", isCreate: true }, [], domain, options),
  get: (domainId, options) => call.one({ route: "GET /v2/domains/{domain_id}" }, [domainId], undefined, options),
  delete: (domainId, options) => call.one({ route: "DELETE /v2/domains/{domain_id}" }, [domainId], undefined, options),
  verify: (domainId, body, options) =>
    call.one({ route: "POST /v2/domains/{domain_id}/verify" }, [domainId], body, options)
})
