import { authProviders } from "./Endpoints.ts"

/** Auth providers of `/v2`. */
export class AuthProvidersV2 extends authProviders("v2") {}
