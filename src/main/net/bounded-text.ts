/** The text of an answer. @throws Error where it has more than `most` bytes */
export async function boundedText(answer: Response, most: number): Promise<string> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let length = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return pieces.join('') + decoder.decode()
    const bytes = value as Uint8Array
    length += bytes.byteLength
    if (length > most) {
      await reader?.cancel()
      throw new Error('its answer is too long')
    }
    pieces.push(decoder.decode(bytes, { stream: true }))
  }
}
