/** A node of a document. */
export interface XmlNode {
  readonly childNodes: ArrayLike<XmlNode>
  readonly localName?: string | null
  readonly namespaceURI?: string | null
}

/**
 * The part of `@xmldom/xmldom` that this ring uses (`paths` in tsconfig.json). The package's own declarations would add the types of
 * browsers to the whole project.
 */
export declare class DOMParser {
  constructor(options: { readonly errorHandler: (level: string, message: string) => void })
  parseFromString(text: string, type: "text/xml"): { readonly documentElement: XmlNode | null }
}
