/** The data of each server-sent event in a stream of text (lines `data: ...`, events ended by an empty line). */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let holding = ''
  let data: string[] = []
  for await (const piece of pieces) {
    holding += piece
    const lines = holding.split(/\r\n|\n|\r(?!$)/)
    holding = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    }
  }
  if (holding.startsWith('data:')) data.push(holding.slice(5).trim())
  if (data.length > 0) yield data.join('\n')
}
