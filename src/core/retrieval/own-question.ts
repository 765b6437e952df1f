/** Words that ask for something that is so: "who", "welche", "quand". */
const ASKING = wordSet(
  'who whose whom when where which what wer wem wen wann wo woher wohin womit was qui quand où que quel quelle quels quelles combien quién cuándo dónde qué cuál cuáles',
)
/** German ones of any ending. */
const ASKING_STEMS = /^(?:welche|wieviel|cuánt)/u
/** Words that ask how something is done, unless one of the second list follows: "how long", "wie heißt". */
const HOW = wordSet('how wie comment cómo')
const MEASURES = wordSet(
  'many much long old big large tall far often high heavy viel viele vielen lange alt groß oft hoch schwer heißt heissen heißen appelle llama llaman',
)
/** Words that may stand before the one that asks: "At which bank", "À quelle heure". */
const BEFORE = wordSet(
  'to from with in at on by for of since until zu von mit an in aus um bei seit bis auf für à a de dans en chez avec pour jusqu con por desde s',
)
/** What is theirs who ask, or done by them, in any of the four languages. */
const OWNERS = wordSet(
  'my mine we our ours ich mein meine meinen meiner meinem meines wir uns unser unsere unseren unserer unserem unseres je j mon ma mes nous notre nos mi mis nuestro nuestra nuestros nuestras',
)
/** English for the one who asks: behind "how long" and the like it is anybody. */
const ONESELF = 'i'
/** Words that ask for advice. */
const ADVICE = wordSet(
  'should can could soll sollte sollen sollten kann können könnte könnten dois devrais devons peux puis pouvons debo debería deberíamos puedo podemos',
)
/** Words of a question up to which it asks for one thing. */
const MOST_WORDS = 16
/** Characters of such a question. */
const LONGEST = 160

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/**
 * Whether a request is one short question of how something stands with whoever asks, which nobody else can know: "When do we rehearse?", "Wer leitet meine Abteilung?",
 * and not "How do I fall asleep?" or "What should I pack?".
 */
export function asksOfOwnLife(request: string): boolean {
  const text = request.trim()
  if (text.length > LONGEST || /[.!?\n]./u.test(text)) return false
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length > MOST_WORDS) return false
  const [first = '', second = '', third = ''] = words
  const [asking, next] = BEFORE.has(first) ? [second, third] : [first, second]
  const isHow = HOW.has(asking)
  const asks = isHow
    ? MEASURES.has(next) || MEASURES.has(third)
    : ASKING.has(asking) || ASKING_STEMS.test(asking)
  const isOwn = words.some((word) => OWNERS.has(word) || (word === ONESELF && !isHow))
  return asks && isOwn && !words.some((word) => ADVICE.has(word))
}
