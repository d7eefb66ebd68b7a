import { credentials } from "./Endpoints.ts"

/** Credentials of `/v2`. */
export class CredentialsV2 extends credentials("v2") {}
