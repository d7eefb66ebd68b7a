import { catalogue } from "../texts/Language.tsx"
import { appTextsEn } from "./TextsEn.ts"
import { appTextsEs } from "./TextsEs.ts"

export const appTexts = catalogue({ en: appTextsEn, es: appTextsEs })
