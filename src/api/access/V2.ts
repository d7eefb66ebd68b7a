import { apiKeys } from "./Endpoints.ts"

/** Management keys of `/v2`. */
export class ApiKeysV2 extends apiKeys("v2") {}
