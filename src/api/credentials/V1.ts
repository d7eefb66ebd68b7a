import { credentials } from "./Endpoints.ts"

/** Credentials of `/v1`. */
export class CredentialsV1 extends credentials("v1") {}
