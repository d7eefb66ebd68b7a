import { jwtKeys } from "./Endpoints.ts"

/** The keys that sign a realm's tokens, of `/v1`. */
export class JwtKeysV1 extends jwtKeys("v1") {}
