import type { Work } from '../../../ground/isolate/protocol'
import { parseGguf } from '../../../gguf/gguf-header'
import type { GgufReply, GgufRequest } from '../../../gguf/gguf-talk'

/** Reads headers of models from bytes that it asks for, one file at a time. */
export function openGguf(): Work<GgufRequest, GgufReply> {
  let header: Promise<GgufReply> = Promise.reject(new Error('There is no file.'))
  header.catch(() => undefined)
  let giveBytes: (piece: Uint8Array) => void = () => undefined
  let askFor: (reply: GgufReply) => void = () => undefined

  return (request) => {
    const question = new Promise<GgufReply>((resolve) => (askFor = resolve))
    if ('piece' in request) giveBytes(request.piece)
    else {
      const { path, sizeBytes, arrays } = request
      const read = (at: number, length: number): Promise<Uint8Array> => {
        const piece = new Promise<Uint8Array>((resolve) => (giveBytes = resolve))
        askFor({ kind: 'more', at, length })
        return piece
      }
      header = parseGguf({ path, sizeBytes, read }, arrays).then((header) => ({ kind: 'header', header }))
      header.catch(() => undefined)
    }
    return Promise.race([question, header])
  }
}
