/** The text of an answer. @throws Error where it has more than `most` characters */
export async function boundedText(answer: Response, most: number): Promise<string> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let length = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return pieces.join('') + decoder.decode()
    const piece = decoder.decode(value as Uint8Array, { stream: true })
    pieces.push(piece)
    length += piece.length
    if (length > most) {
      await reader?.cancel()
      throw new Error('its answer is too long')
    }
  }
}
