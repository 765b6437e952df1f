import { XMLParser } from 'fast-xml-parser'
import { fenced } from './markdown'

/** JSON with its structure shown. Text that is no JSON (JSON lines, comments) is shown as it is. */
export function readJson(text: string): string {
  try {
    return fenced('json', JSON.stringify(JSON.parse(text), null, 2))
  } catch {
    return fenced('json', text)
  }
}

/** XML as the object it describes; attributes begin with "@". Entities of its own are not expanded. */
export function readXml(text: string): string {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', processEntities: false })
  return fenced('json', JSON.stringify(parser.parse(text, true), null, 2))
}
