import { Schema } from "effect"
import { clientFilter, consentClient, consentFields, consents, consentsQuery } from "./Endpoints.ts"

/** A consent of `/v1`. */
export const ConsentBody = Schema.Struct({ ...consentFields, login_policy_id: consentClient }).annotate({
  identifier: "ConsentV1"
})

/** Consents of `/v1`: what users have allowed OAuth clients for good. */
export class ConsentsV1 extends consents("v1", {
  body: ConsentBody,
  query: { ...consentsQuery, login_policy_id: clientFilter }
}) {}
