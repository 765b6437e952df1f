/** Python's `repr` of a text: single quotes unless that needs escaping and double quotes do not. */
export function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let out = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (char === '\\' || char === quote) out += `\\${char}`
    else if (char === '\n') out += '\\n'
    else if (char === '\r') out += '\\r'
    else if (char === '\t') out += '\\t'
    else if (code < 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0xad)
      out += `\\x${code.toString(16).padStart(2, '0')}`
    else out += char
  }
  return quote + out + quote
}

/** Python's `repr` of a list of texts. */
export const reprTexts = (texts: readonly string[]): string => `[${texts.map(reprText).join(', ')}]`
