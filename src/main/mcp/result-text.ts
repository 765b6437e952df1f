import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** What a tool answered, as text. Pictures and sounds are named, not shown; structured content stands in for missing text. */
export function resultText(result: CallToolResult): string {
  const parts = result.content.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text
      case 'image':
      case 'audio':
        return `[${part.type}, ${part.mimeType}, ${Math.round((part.data.length * 3) / 4)} bytes, not shown]`
      case 'resource':
        return 'text' in part.resource ? part.resource.text : `[file ${part.resource.uri}, not shown]`
      case 'resource_link':
        return `[${part.name}: ${part.uri}]`
    }
  })
  const text = parts.join('\n').trim()
  if (text !== '' || result.structuredContent === undefined) return text
  return JSON.stringify(result.structuredContent)
}

/** At most `most` characters, with words on how many are left out. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[${text.length - most} more characters left out]`
