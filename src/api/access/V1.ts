import { apiKeys } from "./Endpoints.ts"

/** Management keys of `/v1`. */
export class ApiKeysV1 extends apiKeys("v1") {}
