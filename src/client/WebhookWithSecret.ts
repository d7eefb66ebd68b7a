/**
 * A webhook as its creator gets it, given the type of hooks. A key that may create one always gets the secret that signs its
 * requests.
 */
export type WebhookWithSecret<Hook> = Extract<Hook, { readonly hook_type: "webhook" }> & { readonly secret: string }

/** The type of a new hook that is a webhook, which is the default. */
export interface WebhookType {
  readonly hook_type?: "webhook" | null | undefined
}
