import { apiKeys } from "./Endpoints.ts"

/** API keys of `/v2`. */
export class ApiKeysV2 extends apiKeys("v2") {}
