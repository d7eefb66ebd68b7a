import { authProviders } from "./Endpoints.ts"

/** Auth providers of `/v1`. */
export class AuthProvidersV1 extends authProviders("v1") {}
