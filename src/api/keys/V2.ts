import { jwtKeys } from "./Endpoints.ts"

/** The keys that sign a realm's tokens, of `/v2`. */
export class JwtKeysV2 extends jwtKeys("v2") {}
