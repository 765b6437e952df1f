const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0)

/** MD5 of a text's UTF-8 bytes as 32 lower-case hex digits (RFC 1321). For fingerprints, not for security. */
export function md5(text: string): string {
  const message = new TextEncoder().encode(text)
  const blocks = (message.length + 8) >> 6
  const padded = new Uint8Array((blocks + 1) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, (message.length * 8) >>> 0, true)
  view.setUint32(padded.length - 4, Math.floor(message.length / 2 ** 29), true)

  const state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  for (let offset = 0; offset < padded.length; offset += 64) digestBlock(state, view, offset)

  const out = new DataView(new ArrayBuffer(16))
  state.forEach((word, i) => out.setInt32(i * 4, word, true))
  return Array.from(new Uint8Array(out.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function digestBlock(state: number[], view: DataView, offset: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let i = 0; i < 64; i++) {
    const round = i >> 4
    const [mix, word] =
      round === 0
        ? [(b & c) | (~b & d), i]
        : round === 1
          ? [(d & b) | (~d & c), (5 * i + 1) & 15]
          : round === 2
            ? [b ^ c ^ d, (3 * i + 5) & 15]
            : [c ^ (b | ~d), (7 * i) & 15]
    const sum = (a + mix + (SINES[i] ?? 0) + view.getInt32(offset + word * 4, true)) | 0
    const shift = SHIFTS[round * 4 + (i & 3)] ?? 0
    a = d
    d = c
    c = b
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
  }
  ;[a, b, c, d].forEach((word, i) => (state[i] = ((state[i] ?? 0) + word) | 0))
}
