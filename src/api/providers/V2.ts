import { authProviders } from "./Endpoints.ts"

/** What realms authenticate with of `/v2`. */
export class AuthProvidersV2 extends authProviders("v2") {}
