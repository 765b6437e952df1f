/** Words that are kept until `open` is called, and passed on as they come from then on. */
function heldWords(write) {
  const chunks = []
  let isOpen = false
  return {
    say: (chunk) => void (isOpen ? write(chunk) : chunks.push(chunk)),
    open: () => {
      isOpen = true
      for (const chunk of chunks.splice(0)) write(chunk)
    },
  }
}

/** See side-by-side.d.mts. */
export async function playSideBySide({ lanes, write, isStopped = () => false }) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const play = async (parts, say) => {
    for (const part of parts) {
      if (isStopped()) return
      const counts = await part(say)
      for (const key of Object.keys(sum)) sum[key] += counts[key]
    }
  }
  const words = lanes.map(() => heldWords(write))
  const ends = lanes.map((parts, i) => play(parts, words[i].say))
  const all = Promise.allSettled(ends)
  for (const [i, end] of ends.entries()) {
    words[i].open()
    await Promise.allSettled([end])
  }
  const broken = (await all).find(({ status }) => status === 'rejected')
  if (isStopped()) throw new Error('Stopped.')
  if (broken) throw broken.reason
  return sum
}
