import { authProviders } from "./Endpoints.ts"

/** What realms authenticate with of `/v1`. */
export class AuthProvidersV1 extends authProviders("v1") {}
