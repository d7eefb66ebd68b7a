import { Schema } from "effect"
import { clientFilter, consentClient, consentFields, consents, consentsQuery } from "./Endpoints.ts"

/** A consent of `/v2`. */
export const ConsentBody = Schema.Struct({ ...consentFields, client_app_id: consentClient }).annotate({
  identifier: "Consent"
})

/** Consents of `/v2`: what users have allowed OAuth clients for good. */
export class ConsentsV2 extends consents("v2", {
  body: ConsentBody,
  query: { ...consentsQuery, client_app_id: clientFilter }
}) {}
