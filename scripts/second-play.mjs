/** See second-play.d.mts. */
export async function playAgain({ failures, most, play }) {
  const places = failures.map(({ place }) => place)
  if (failures.length === 0 || failures.length > most || places.includes(null)) return []
  const again = await play([...new Set(places)])
  return failures.filter(({ name }) => again.played.has(name) && !again.failed.has(name))
}
