import { apiKeys } from "./Endpoints.ts"

/** API keys of `/v1`. */
export class ApiKeysV1 extends apiKeys("v1") {}
