import { catalogue } from "../texts/Language.tsx"
import { en } from "./TextsEn.ts"
import { es } from "./TextsEs.ts"

export const appTexts = catalogue({ en, es })
